import torch
import torch.nn as nn


def load_checkpoint(path, model, opt, device):
    ckpt = torch.load(path, map_location=device)
    model.load_state_dict(ckpt["model"])
    opt.load_state_dict(ckpt["opt"])
    return ckpt["step"]


def init_from(model, path):
    state = torch.load(path, map_location=lambda storage, loc: storage)
    state = {k.replace("module.", ""): v for k, v in state.items()}
    model.load_state_dict(state, strict=False)


def main(path):
    device = torch.device("cuda:0")
    model = nn.Linear(4, 4).to(device)
    opt = torch.optim.Adam(model.parameters())
    step = load_checkpoint(path, model, opt, device)
    init_from(model, "pre.pt")
    model.load_state_dict(torch.load("head.pt", "cpu"), strict=False)
    while step < 1000:
        opt.zero_grad()
        model(torch.randn(2, 4, device=device)).sum().backward()
        opt.step()
        step += 1


main("x.pt")
