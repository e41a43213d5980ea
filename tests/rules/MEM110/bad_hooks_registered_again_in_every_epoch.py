# hooks registered again in every epoch

import torch


def log_norm(module, inputs, output):
    print(type(module).__name__, output.norm().item())


def attach(model):
    for layer in model.children():
        layer.register_forward_hook(log_norm)  #! MEM110 warning


def run(model, loader, opt, epochs):
    for epoch in range(epochs):
        attach(model)
        for x in loader:
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()


net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
run(net, [torch.randn(2, 3) for _ in range(4)], torch.optim.SGD(net.parameters(), lr=0.1), 3)
