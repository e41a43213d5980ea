# without distillation there is no teacher, and what is called is not None

import torch
import torch.nn.functional as F
from nets import large, small


def train(args, loader):
    student = small().cuda()
    teacher = None
    if args.distill:
        teacher = large().cuda()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x, y in loader:
        out = student(x.cuda())
        loss = F.cross_entropy(out, y.cuda())
        if teacher is not None:
            loss = loss + F.mse_loss(out, teacher(x.cuda()))  #! MEM203 warning
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
