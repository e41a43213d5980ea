# Proximal policy optimisation on a toy task: values are taken along the way for the advantages.
from typing import Dict, List

import torch
from torch import Tensor, nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, obs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 64), nn.Tanh())
        self.pi, self.v = nn.Linear(64, actions), nn.Linear(64, 1)

    def forward(self, x: Tensor):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Worker:
    def __init__(self, horizon: int = 256) -> None:
        self.policy = Policy(6, 3)
        self.optim = torch.optim.Adam(self.policy.parameters(), lr=3e-4)
        self.horizon = horizon

    def collect(self) -> Dict[str, List[Tensor]]:
        rollout: Dict[str, List[Tensor]] = {k: [] for k in ("obs", "act", "logp", "val", "rew")}
        obs = torch.randn(6)
        for _ in range(self.horizon):
            dist, value = self.policy(obs)
            action = dist.sample()
            nxt = 0.9 * obs + 0.1 * torch.randn(6)
            for key, item in zip(rollout, (obs, action, dist.log_prob(action), value, nxt[action])):
                rollout[key].append(item)  #! MEM116
            obs = nxt
        return rollout

    def update(self) -> float:
        batch = {k: torch.stack(v).detach() for k, v in self.collect().items()}
        advantage = batch["rew"] - batch["val"]
        for _ in range(4):
            dist, value = self.policy(batch["obs"])
            ratio = (dist.log_prob(batch["act"]) - batch["logp"]).exp()
            clipped = ratio.clamp(0.8, 1.2) * advantage
            loss = -torch.min(ratio * advantage, clipped).mean() + (value - batch["rew"]).pow(2).mean()
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
        return loss.item()


worker = Worker()
for it in range(20):
    print(it, worker.update())
