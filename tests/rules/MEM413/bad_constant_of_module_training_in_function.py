# a constant of the module, training in a function

import torch
from torch.utils import data

BATCH = 256
DEVICE = torch.device("cuda")


def train(net, dataset):
    opt = torch.optim.Adam(net.parameters())
    for x in data.DataLoader(dataset, BATCH, True):  #! MEM413 advice
        opt.zero_grad()
        net(x.to(DEVICE)).mean().backward()
        opt.step()


if __name__ == "__main__":
    train(torch.nn.Linear(8, 1).to(DEVICE), torch.randn(5000, 8))
