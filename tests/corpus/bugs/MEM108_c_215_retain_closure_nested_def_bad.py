import torch
from torch import nn


def make_trainer(width=32):
    net = nn.ModuleDict({"enc": nn.Linear(10, width), "dec": nn.Linear(width, 10)})
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)

    def forward(x):
        return net["dec"](torch.relu(net["enc"](x)))

    def one_batch(x):
        opt.zero_grad()
        recon = nn.functional.smooth_l1_loss(forward(x), x)
        sparsity = net["enc"].weight.abs().mean()
        total = recon + 1e-3 * sparsity
        total.backward(None, True)  #! MEM108
        opt.step()
        return total.item()

    return one_batch


if __name__ == "__main__":
    step = make_trainer()
    for i in range(200):
        v = step(torch.randn(64, 10))
    print(v)
