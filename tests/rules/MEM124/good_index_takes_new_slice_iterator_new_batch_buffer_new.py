# the index takes a new slice, the iterator a new batch, the buffer a new sample

import torch
from torch.utils.data import DataLoader

train_x, train_y = torch.randn(100, 6), torch.randn(100, 1)
model = torch.nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(train_x, batch_size=10)
it = iter(loader)


class Buffer:
    def __init__(self, data):
        self.data = data

    def sample(self, n):
        return self.data[torch.randint(0, len(self.data), (n,))]


buffer = Buffer(train_x)
static = torch.empty(10, 6)
for i in range(0, len(train_x), 10):
    static.copy_(train_x[i : i + 10])
    first = model(train_x[i : i + 10])
    second = model(next(it))
    third = model(buffer.sample(10))
    fourth = model(static)
    optimizer.zero_grad()
    (first + second + third + fourth - train_y[i : i + 10]).pow(2).mean().backward()
    optimizer.step()
