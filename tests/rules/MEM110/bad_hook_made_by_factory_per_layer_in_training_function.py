# hook made by a factory, per layer, in a training function

from collections import defaultdict

import torch

activations = defaultdict(list)


def watch(name):
    def hook(module, inputs, output):
        activations[name].append(output.detach())  #! MEM110 warning

    return hook


def train(model, loader, opt):
    for name, layer in model.named_modules():
        layer.register_forward_hook(watch(name))
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()


def main():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())
    data = [(torch.randn(2, 4), torch.randn(2, 4)) for _ in range(30)]
    train(model, data, torch.optim.SGD(model.parameters(), lr=0.1))


main()
