# one call fills a list for each field: that of the states of an LSTM keeps their graphs

import torch
from torch import nn


class Experience:
    def __init__(self, size):
        self.size, self.seen, self.states = size, [], []

    def store(self, seen, state):
        if len(self.seen) >= self.size:
            self.seen.pop(0)
            self.states.pop(0)
        self.seen.append(seen)
        self.states.append(state)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.LSTMCell(8, 128), nn.Linear(128, 4)

    def forward(self, seen, state):
        h, c = self.cell(seen, state)
        return self.head(h), (h, c)


def collect(env, policy, experience, steps):
    seen = torch.as_tensor(env.reset(), device="cuda").unsqueeze(0)
    state = torch.zeros(1, 128, device="cuda"), torch.zeros(1, 128, device="cuda")
    for _ in range(steps):
        logits, state = policy(seen, state)
        after, reward, done, _ = env.step(logits.argmax().item())
        experience.store(seen, state)  #! MEM116 error
        seen = torch.as_tensor(after, device="cuda").unsqueeze(0)


def train(env):
    policy, experience = Policy().cuda(), Experience(100_000)
    optimizer = torch.optim.Adam(policy.parameters())
    for update in range(1000):
        collect(env, policy, experience, 128)
        h, c = experience.states[update]
        logits, _ = policy(experience.seen[update], (h.detach(), c.detach()))
        loss = logits.logsumexp(-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
