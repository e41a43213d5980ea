# the teacher may be the one that the caller gives, who may train it

import torch
import torch.nn.functional as F
from nets import large, small


def train(args, loader, given):
    student = small().cuda()
    teacher = None
    if args.distill:
        teacher = given
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x, y in loader:
        out = student(x.cuda())
        loss = F.cross_entropy(out, y.cuda())
        if teacher is not None:
            loss = loss + args.weigh(out, teacher(x.cuda()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
