import torch
from torch.autograd import Variable


def train(model, loader, opt, use_cuda):
    total = 0
    for x, y in loader:
        if use_cuda:
            x, y = x.cuda(), y.cuda()
        x, y = Variable(x), Variable(y)
        opt.zero_grad()
        loss = torch.nn.functional.nll_loss(model(x), y)
        loss.backward()
        opt.step()
        total += loss.data.cpu().numpy()
    return total / len(loader)


def first(batch):
    return batch.data[0], batch["data"][0]
