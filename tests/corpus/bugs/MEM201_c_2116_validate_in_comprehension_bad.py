# Validation in one line.
import torch
from torch import nn


class Regressor:
    def __init__(self, width):
        self.net = nn.Sequential(nn.Linear(8, width), nn.Tanh(), nn.Linear(width, 1))
        self.opt = torch.optim.LBFGS(self.net.parameters(), max_iter=10)

    def fit(self, x, y):
        def closure():
            self.opt.zero_grad()
            loss = nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            return loss

        return float(self.opt.step(closure))

    def validate(self, loader):
        self.net.eval()
        errors = [(self.net(x) - y).abs() for x, y in loader]  #! MEM201 #= MEM102
        return torch.cat(errors).mean().item()  #? MEM102


model = Regressor(50)
x = torch.randn(256, 8)
for _ in range(10):
    print(model.fit(x, x[:, :1] ** 2))
val_loader = [(v, v[:, :1] ** 2) for v in torch.randn(60, 32, 8)]
print(model.validate(val_loader))
