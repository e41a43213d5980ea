# two domains zipped in a function, the shorter one cycled

from itertools import cycle

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def adapt(net, source_loader, target_loader, opt):
    for (xs, ys), (xt, _) in zip(source_loader, cycle(target_loader)):  #! MEM404 error
        loss = F.cross_entropy(net(xs), ys) - 0.1 * net(xt).softmax(1).max(1).values.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def main():
    net = torch.nn.Linear(20, 4)
    source = DataLoader(TensorDataset(torch.randn(900, 20), torch.randint(0, 4, (900,))), batch_size=30)
    target = DataLoader(TensorDataset(torch.randn(300, 20), torch.zeros(300)), batch_size=30, shuffle=True)
    adapt(net, source, target, torch.optim.SGD(net.parameters(), lr=0.01))


if __name__ == "__main__":
    main()
