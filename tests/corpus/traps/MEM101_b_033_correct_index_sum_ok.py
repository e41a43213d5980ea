import torch
from torch import nn


def train(net, dl, opt):
    correct = torch.tensor(0)
    seen = 0
    top5 = 0
    preds = []
    for x, y in dl:
        opt.zero_grad()
        out = net(x)
        nn.functional.cross_entropy(out, y).backward()
        opt.step()
        correct += (out.argmax(1) == y).sum()
        top5 += out.topk(5, 1)[1].eq(y.view(-1, 1)).sum()
        preds.append(out.max(1)[1])
        seen += y.numel()
    print(correct / seen, top5 / seen, torch.cat(preds).shape)
