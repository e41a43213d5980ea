# the class of the optimizer is an argument: it has the parameters that it was given, and no others

import copy

import torch
import torch.nn.functional as F
from torch import nn


class Agent(nn.Module):
    def __init__(self, size, actions, optim, lr):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 512), nn.ReLU(), nn.Linear(512, actions))
        self.optim = optim(self.net.parameters(), lr=lr)
        self.target_net = copy.deepcopy(self.net)

    def update(self, states, actions, rewards, next_states):
        target = rewards + 0.9 * self.target_net(next_states).max(1).values  #! MEM203 warning
        loss = F.mse_loss(self.net(states).gather(1, actions), target)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()


def train(optimizer_class, loader, rate):
    student = nn.Sequential(nn.Linear(64, 512), nn.ReLU(), nn.Linear(512, 10))
    teacher = copy.deepcopy(student)
    opt = optimizer_class(student.parameters(), lr=rate, weight_decay=0.01)
    for x in loader:
        wanted = teacher(x)  #! MEM203 warning
        loss = F.mse_loss(student(x), wanted)
        opt.zero_grad()
        loss.backward()
        opt.step()
