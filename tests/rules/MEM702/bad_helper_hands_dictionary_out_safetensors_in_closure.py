# a helper hands the dictionary out; safetensors in a closure

import torch
from safetensors.torch import load_file


def read(path):
    print("reading", path)
    return torch.load(path, map_location="cpu")


def experiment(path, extra):
    model, head = torch.nn.Linear(16, 16), torch.nn.Linear(16, 2)
    blob = read(path)  #! MEM702 warning
    model.load_state_dict(blob["model"], strict=False)
    tensors = load_file(extra)  #! MEM702 warning
    head.load_state_dict(tensors)
    opt = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.1)

    def step(x):
        opt.zero_grad()
        head(model(x)).mean().backward()
        opt.step()

    for x in torch.randn(5, 3, 16):
        step(x)


experiment("a.pt", "b.safetensors")
