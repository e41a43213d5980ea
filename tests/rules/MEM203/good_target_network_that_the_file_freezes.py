"""The parameters of the target network, which callers gave, are frozen before the first step."""

import torch.nn.functional as F


class Learner:
    def __init__(self, q_net, target_net, optimizer):
        self.q_net = q_net
        self.target_net = target_net
        self.optimizer = optimizer
        for p in self.target_net.parameters():
            p.requires_grad = False

    def learn(self, states, actions, rewards, next_states):
        values = self.q_net(states).gather(1, actions)
        target = rewards + 0.99 * self.target_net(next_states).max(1)[0]
        loss = F.mse_loss(values.squeeze(), target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
