# a detached tensor is passed

import torch


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


losses, accs = AverageMeter(), AverageMeter()
model = torch.nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(100):
    x, y = torch.randn(16, 10), torch.randint(0, 2, (16,))
    out = model(x)
    loss = torch.nn.functional.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.update(loss.detach(), x.size(0))
    accs.update((out.argmax(1) == y).float().mean(), x.size(0))
