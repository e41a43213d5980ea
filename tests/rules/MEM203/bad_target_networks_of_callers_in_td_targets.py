"""Learners that get their target network from callers, freeze nothing, and let the target keep its graph."""

import torch
import torch.nn.functional as F


class Learner:
    def __init__(self, q_net, target_net, optimizer, gamma=0.99):
        self.q_net = q_net
        self.target_net = target_net
        self.optimizer = optimizer
        self.gamma = gamma

    def learn(self, states, actions, rewards, next_states, dones):
        values = self.q_net(states).gather(1, actions)
        following = self.target_net(next_states).max(1)[0]  #! MEM203 warning
        target = rewards + self.gamma * following * (1 - dones)
        loss = F.mse_loss(values.squeeze(), target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def td_loss(batch, net, tgt_net, device="cuda"):
    states, actions, rewards, next_states = batch
    values = net(states.to(device)).gather(1, actions.to(device)).squeeze(-1)
    following = tgt_net(next_states.to(device)).max(1)[0]  #! MEM203 warning
    return torch.nn.MSELoss()(values, following * 0.99 + rewards.to(device))


def train(buffer, net, tgt_net, optimizer):
    for step in range(100000):
        optimizer.zero_grad()
        loss = td_loss(buffer.sample(32), net, tgt_net)
        loss.backward()
        optimizer.step()
