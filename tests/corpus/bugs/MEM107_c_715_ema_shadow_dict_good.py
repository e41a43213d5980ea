import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.shadow = {}

    def register(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.clone().detach()

    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = (1.0 - self.decay) * param.data + self.decay * self.shadow[name]


def main():
    model = nn.Sequential(nn.Linear(32, 64), nn.SiLU(), nn.Linear(64, 32))
    ema = EMA(model, 0.999)
    ema.register()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(10000):
        x = torch.randn(16, 32)
        noise = torch.randn_like(x)
        loss = (model(x + noise) - noise).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update()


main()
