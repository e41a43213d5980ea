# function called from main, sum weighted by the batch size and written out in full

import torch
import torch.nn.functional as F


def train_one_epoch(net, loader, opt, device):
    net.train()
    total, seen = 0.0, 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        opt.zero_grad(set_to_none=True)
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        total = total + loss * x.size(0)  #! MEM101 warning
        seen += x.size(0)
    return float(total) / seen


def main():
    net = torch.nn.Linear(16, 4)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    batches = [(torch.randn(8, 16), torch.randint(0, 4, (8,))) for _ in range(50)]
    for epoch in range(3):
        print(epoch, train_one_epoch(net, batches, opt, "cpu"))


if __name__ == "__main__":
    main()
