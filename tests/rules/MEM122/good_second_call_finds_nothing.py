# already cleared after the step: the second call finds nothing

import torch


class Learner:
    def __init__(self):
        self.net = torch.nn.Linear(4, 2)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def learn(self, x):
        loss = self.net(x).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()


learner = Learner()
for _ in range(4):
    learner.learn(torch.randn(3, 4))
