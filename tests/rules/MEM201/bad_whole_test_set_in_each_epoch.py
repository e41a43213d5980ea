# training goes over batches, and each epoch ends with one forward pass over all that there is to test on

import torch
from torch import nn
from torch.nn import functional as F


def fit(net, x_train, y_train, x_test, y_test, epochs=200, size=64):
    net.cuda()
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        for i in range(0, len(x_train), size):
            opt.zero_grad()
            F.cross_entropy(net(x_train[i : i + size].cuda()), y_train[i : i + size].cuda()).backward()
            opt.step()
        right = net(x_test.cuda()).argmax(1).cpu() == y_test  #! MEM201 warning
        print(epoch, right.float().mean().item())


def fit_loader(loader, val_data, val_target):
    net = nn.Sequential(nn.Linear(30, 512), nn.ReLU(), nn.Linear(512, 1)).cuda()
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(50):
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(net(x.cuda()), y.cuda()).backward()
            opt.step()
        print(epoch, F.mse_loss(net(val_data), val_target).item())  #! MEM201 warning
