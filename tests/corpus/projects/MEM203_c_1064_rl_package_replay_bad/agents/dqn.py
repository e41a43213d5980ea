import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from agents.memory import ReplayMemory


class DQN(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 128), nn.ReLU(), nn.Linear(128, n_out))

    def forward(self, x):
        return self.net(x)


class Agent:
    def __init__(self, env, lr=1e-4, gamma=0.99):
        self.env, self.gamma = env, gamma
        n, m = env.observation_space.shape[0], env.action_space.n
        self.policy, self.target = DQN(n, m), DQN(n, m)
        self.target.load_state_dict(self.policy.state_dict())
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), lr=lr)
        self.memory = ReplayMemory(10000)

    def act(self, state, eps):
        if random.random() < eps:
            return torch.tensor([[self.env.action_space.sample()]])
        return self.policy(state).max(1)[1].view(1, 1)

    def learn(self, batch_size=128):
        if len(self.memory) < batch_size:
            return
        state, action, nxt, reward = self.memory.sample(batch_size)
        q = self.policy(torch.cat(state)).gather(1, torch.cat(action))
        q_next = self.target(torch.cat(nxt)).max(1)[0]  #! MEM203
        target = q_next.detach() * self.gamma + torch.tensor(reward)
        loss = F.smooth_l1_loss(q, target.unsqueeze(1))
        self.optimizer.zero_grad()  #? MEM122
        loss.backward()
        self.optimizer.step()
