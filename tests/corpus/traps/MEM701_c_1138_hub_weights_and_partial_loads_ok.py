"""Loads that hold no checkpoint, or place it."""
import safetensors.torch
import torch
import torchvision
from huggingface_hub import hf_hub_download
from torch.hub import load_state_dict_from_url


def head(state, n):
    return {k: v for k, v in state.items() if not k.startswith("fc.") or v.shape[0] == n}


def build(n):
    net = torchvision.models.resnet50()
    state = load_state_dict_from_url("https://download.pytorch.org/models/resnet50-0676ba61.pth")
    net.load_state_dict(head(state, n), strict=False)
    return net.cuda()


def from_hub(net):
    f = hf_hub_download("org/model", "model.safetensors")
    net.load_state_dict(safetensors.torch.load_file(f))
    g = hf_hub_download("org/model", "pytorch_model.bin")
    net.load_state_dict(torch.load(g, map_location="cpu", weights_only=True))
    return net.cuda()


def epoch_of(path):
    return torch.load(path, map_location=torch.device("cpu"))["epoch"]


def train(n, loader, resume):
    net = from_hub(build(n))
    start = epoch_of(resume)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    opt.load_state_dict(torch.load(resume, map_location=next(net.parameters()).device)["opt"])
    for epoch in range(start, 10):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
            opt.step()
