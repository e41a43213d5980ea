import torch
from itertools import count, islice
from torch.utils.data import DataLoader, TensorDataset


class InfiniteLoader(DataLoader):
    def __iter__(self):
        while True:
            yield from super().__iter__()


train_loader = InfiniteLoader(TensorDataset(torch.randn(512, 4), torch.randn(512, 1)), batch_size=32, shuffle=True)
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
for step, (x, y) in zip(count(), islice(train_loader, 500)):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
