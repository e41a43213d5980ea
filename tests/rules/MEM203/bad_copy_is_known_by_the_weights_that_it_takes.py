# a copy of the trained network, known by the weights that it takes and not by its name

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from nets import QNet


class Agent:
    def __init__(self, env, memory):
        self.q = QNet(env).cuda()
        self.target = QNet(env).cuda()
        self.target.load_state_dict(self.q.state_dict())
        self.optimizer = optim.Adam(self.q.parameters())
        self.memory = memory

    def update(self):
        s, a, r, s2, d = self.memory.sample(32)
        q = self.q(s).gather(1, a)
        q_next = self.target(s2).max(1)[0].unsqueeze(1)  #! MEM203 warning
        loss = F.mse_loss(q, (r + 0.99 * q_next * (1 - d)).detach())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
