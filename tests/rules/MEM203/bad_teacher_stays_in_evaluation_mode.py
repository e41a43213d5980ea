# the student changes its mode in each epoch, the teacher stays in its own

import torch
import torch.nn.functional as F
from zoo import resnet18, resnet101


def distill(loader, epochs):
    teacher, student = resnet101().cuda(), resnet18().cuda()
    teacher.eval()
    opt = torch.optim.SGD(student.parameters(), 0.1)
    for epoch in range(epochs):
        student.train()
        for x, y in loader:
            wanted = teacher(x.cuda())  #! MEM203 warning
            loss = F.kl_div(student(x.cuda()).log_softmax(1), wanted.softmax(1))
            opt.zero_grad()
            loss.backward()
            opt.step()
        student.eval()
