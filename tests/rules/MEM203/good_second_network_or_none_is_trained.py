# the second network, where there is one, is in the optimizer

import itertools

import torch
import torch.nn.functional as F
from nets import large, small


def train(args, loader):
    student = small().cuda()
    teacher = None
    if args.mutual:
        teacher = large().cuda()
    parts = [student] if teacher is None else [student, teacher]
    optimizer = torch.optim.SGD(itertools.chain(*(p.parameters() for p in parts)), lr=0.1)
    for x, y in loader:
        out = student(x.cuda())
        loss = F.cross_entropy(out, y.cuda())
        if teacher is not None:
            loss = loss + F.mse_loss(out, teacher(x.cuda()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
