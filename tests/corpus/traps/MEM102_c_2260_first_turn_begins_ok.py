"""Each batch is predicted step by step; the first turn of the inner loop begins the joined prediction."""
import torch
from torch import nn


class Roller:
    def __init__(self, net, device):
        self.net, self.device = net.to(device), device
        self.loss = nn.MSELoss()
        self.adam = torch.optim.Adam(self.net.parameters())

    def fit(self, epochs, loader, horizon):
        for _ in range(epochs):
            for past, future in loader:
                past, future = past.to(self.device), future.to(self.device)
                rebuilt = 0
                for t in range(0, horizon):
                    image, again = self.net(past)
                    rebuilt += self.loss(again, past)
                    if t == 0:
                        joined = image[..., -1:]
                    else:
                        joined = torch.cat((joined, image[..., -1:]), -1)
                    past = torch.cat((past[..., 1:], image[..., -1:]), dim=-1)
                self.adam.zero_grad()
                (5 * self.loss(joined, future) + rebuilt).backward()
                self.adam.step()


def fit_with_expression(net, loader, adam, horizon, epochs):
    for epoch in range(epochs):
        for past, future in loader:
            past, future = past.cuda(), future.cuda()
            for t in range(horizon):
                out = net(past)
                joined = torch.cat((joined, out), -1) if t > 0 else out
                past = out
            adam.zero_grad()
            nn.functional.mse_loss(joined, future).backward()
            adam.step()


def fit_parts(net, loader, adam, epochs):
    for epoch in range(epochs):
        for parts, target in loader:
            for k, part in enumerate(parts):
                out = net(part.cuda())
                if k != 0:
                    total = total + out
                else:
                    total = out
            adam.zero_grad()
            nn.functional.mse_loss(total, target.cuda()).backward()
            adam.step()
