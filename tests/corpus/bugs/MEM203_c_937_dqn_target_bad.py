import copy

import torch
import torch.nn as nn


class DQN:
    def __init__(self, n_obs, n_act):
        self.policy_net = nn.Sequential(nn.Linear(n_obs, 64), nn.ReLU(), nn.Linear(64, n_act))
        self.target_net = copy.deepcopy(self.policy_net)
        self.target_net.eval()
        self.optimizer = torch.optim.RMSprop(self.policy_net.parameters())
        self.loss_fn = nn.SmoothL1Loss()

    def optimize(self, memory, batch_size=128, gamma=0.99):
        for _ in range(10):
            s, a, r, s2 = memory.sample(batch_size)
            q = self.policy_net(s).gather(1, a)
            nxt = self.target_net(s2).max(1)[0].detach()  #! MEM203
            loss = self.loss_fn(q, (r + gamma * nxt).unsqueeze(1))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        self.target_net.load_state_dict(self.policy_net.state_dict())
