# an average of weights is given the model, and copies under no_grad

import copy

import torch


class Ema:
    def __init__(self, model, decay=0.999):
        self.shadow, self.decay = copy.deepcopy(model), decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


net = torch.nn.Linear(4, 1)
ema = Ema(net)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(20, 8, 4):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
