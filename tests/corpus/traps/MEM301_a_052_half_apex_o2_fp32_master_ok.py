import torch
from torch import nn


class FP32Master:
    """Optimizer over fp32 copies of fp16 weights."""

    def __init__(self, model, lr):
        self.model_params = [p for p in model.parameters() if p.requires_grad]
        self.master = [p.detach().clone().float().requires_grad_() for p in self.model_params]
        self.opt = torch.optim.Adam(self.master, lr)

    def zero_grad(self):
        for p in self.model_params:
            p.grad = None

    def step(self, scale):
        for m, p in zip(self.master, self.model_params):
            m.grad = p.grad.float() / scale
        self.opt.step()
        with torch.no_grad():
            for m, p in zip(self.master, self.model_params):
                p.copy_(m)


def train(model, loader, scale=1024.0):
    model = model.cuda().half()
    opt = FP32Master(model, 1e-3)
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.cuda().half()).float(), y.cuda())
        (loss * scale).backward()
        opt.step(scale)
