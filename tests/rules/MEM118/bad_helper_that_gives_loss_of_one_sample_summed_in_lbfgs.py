# helper that gives the loss of one sample, summed in an LBFGS closure

import torch

model = torch.nn.Bilinear(4, 4, 1)
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=5)
samples = [(torch.randn(1, 4), torch.randn(1, 4)) for _ in range(12)]


def sample_loss(a, b):
    return (model(a, b) - 1).abs().sum()


def closure():
    optimizer.zero_grad()
    total = 0.0
    for a, b in samples:
        total = total + sample_loss(a, b)  #! MEM118
    total.backward()
    return total


for _ in range(3):
    optimizer.step(closure)
