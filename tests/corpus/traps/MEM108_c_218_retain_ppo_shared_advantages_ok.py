import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.features = nn.Linear(obs, 64)
        self.pi, self.v = nn.Linear(64, act), nn.Linear(64, 1)

    def forward(self, obs):
        f = torch.tanh(self.features(obs))
        return torch.distributions.Categorical(logits=self.pi(f)), self.v(f).squeeze(-1)


def update(model, pi_opt, v_opt, batches, epochs=4):
    for obs, act, ret, old_logp in batches:
        _, base = model(obs)
        advantage = ret - base
        for _ in range(epochs):
            dist, value = model(obs)
            ratio = torch.exp(dist.log_prob(act) - old_logp)
            pi_loss = -(ratio * advantage).mean()
            v_loss = (ret - value).pow(2).mean()
            pi_opt.zero_grad()
            v_opt.zero_grad()
            (pi_loss + v_loss).backward(retain_graph=True)
            pi_opt.step()
            v_opt.step()
