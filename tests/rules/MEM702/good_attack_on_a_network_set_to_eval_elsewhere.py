# an attack in a method; the constructor, or the function that calls it, has put the network into eval mode

import torch
from torch import nn


class Attack:
    def __init__(self, path):
        self.model = nn.Linear(4, 2).cuda()
        self.checkpoint = torch.load(path)
        self.model.load_state_dict(self.checkpoint["model"])
        self.model.eval()

    def run(self, loader):
        for x, y in loader:
            x = x.cuda().requires_grad_()
            nn.functional.cross_entropy(self.model(x), y.cuda()).backward()
            print(x.grad.abs().mean().item())


def attack(model, loader):
    for x, y in loader:
        x = x.cuda().requires_grad_()
        nn.functional.cross_entropy(model(x), y.cuda()).backward()
        print(x.grad.abs().mean().item())


loader = torch.utils.data.DataLoader(torch.randn(64, 4))
Attack("best.pt").run(loader)
model = nn.Linear(4, 2).cuda()
checkpoint = torch.load("best.pt")
model.load_state_dict(checkpoint["model"])
model.eval()
attack(model, loader)
