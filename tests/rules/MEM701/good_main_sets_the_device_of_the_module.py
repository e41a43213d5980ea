# the module begins with None, and `main` chooses before anything is read

import torch
from torch import nn

device = None


def load(path, device):
    return torch.load(path, map_location=device)


def infer(path):
    net = nn.Linear(4, 2).to(device)
    net.load_state_dict(load(path, device)["net"])
    return net.eval()


def main():
    global device
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    infer("net.pt")


main()
