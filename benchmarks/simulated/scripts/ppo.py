"""Proximal policy optimisation on made-up frames of 84 x 84: rollouts on the GPU, four epochs over parts of them."""

import torch
from torch import nn
from torch.distributions import Categorical

GAMES, LENGTH, ACTIONS, PARTS = 16, 64, 6, 4


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(
            nn.Conv2d(4, 32, 8, 4),
            nn.ReLU(),
            nn.Conv2d(32, 64, 4, 2),
            nn.ReLU(),
            nn.Conv2d(64, 64, 3),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(64 * 7 * 7, 512),
            nn.ReLU(),
        )
        self.policy, self.value = nn.Linear(512, ACTIONS), nn.Linear(512, 1)

    def forward(self, frames):
        seen = self.eyes(frames / 255.0)
        return Categorical(logits=self.policy(seen), validate_args=False), self.value(seen).squeeze(-1)


torch.manual_seed(0)
agent = Agent().cuda()
optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
frames = torch.zeros(LENGTH, GAMES, 4, 84, 84, device="cuda")
actions, chances, rewards, values = (torch.zeros(LENGTH, GAMES, device="cuda") for _ in range(4))
for _ in range(2):
    for step in range(LENGTH):
        frames[step] = torch.randint(0, 256, (GAMES, 4, 84, 84)).float().cuda()
        with torch.no_grad():
            choice, values[step] = agent(frames[step])
            action = choice.sample()
            chances[step] = choice.log_prob(action)
        actions[step] = action
        rewards[step] = torch.rand(GAMES).cuda()
    with torch.no_grad():
        gains, last = torch.zeros_like(rewards), 0.0
        for step in reversed(range(LENGTH - 1)):
            gap = rewards[step] + 0.99 * values[step + 1] - values[step]
            gains[step] = last = gap + 0.99 * 0.95 * last
        returns = gains + values
    for order in torch.randperm(LENGTH * GAMES, device="cuda").chunk(PARTS):
        choice, value = agent(frames.flatten(0, 1)[order])
        ratio = (choice.log_prob(actions.flatten()[order]) - chances.flatten()[order]).exp()
        gain = gains.flatten()[order]
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        clipped = torch.max(-gain * ratio, -gain * ratio.clamp(0.9, 1.1)).mean()
        loss = clipped + 0.5 * (value - returns.flatten()[order]).pow(2).mean() - 0.01 * choice.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    print(loss.item())
