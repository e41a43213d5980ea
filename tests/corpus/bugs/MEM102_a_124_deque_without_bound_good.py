from collections import deque

import torch
import torch.nn.functional as F


class Worker:
    def __init__(self, net, lr):
        self.net = net
        self.optim = torch.optim.RMSprop(net.parameters(), lr)
        self.loss_log = deque(maxlen=200)

    def learn(self, batch):
        obs, target = batch
        loss = F.smooth_l1_loss(self.net(obs), target)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.loss_log.append(loss.item())

    def run(self, buffer, n):
        for t in range(n):
            self.learn(buffer.sample())
            if t % 1000 == 999:
                recent = list(self.loss_log)[-100:]
                print(t, float(sum(recent)) / len(recent))
