# an agent makes its optimizer; its step, which another file calls for each batch, never clears

import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, memory, states, actions):
        self.memory = memory
        self.policy = nn.Sequential(nn.Linear(states, 64), nn.ReLU(), nn.Linear(64, actions))
        self.target = nn.Sequential(nn.Linear(states, 64), nn.ReLU(), nn.Linear(64, actions))
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=5e-4)

    def learn(self, gamma):
        state, action, reward, following = self.memory.sample(64)
        with torch.no_grad():
            wanted = reward + gamma * self.target(following).max(1)[0]
        taken = self.policy(state).gather(1, action).squeeze(1)
        loss = F.smooth_l1_loss(taken, wanted)
        loss.backward()  #! MEM121
        self.optimizer.step()
