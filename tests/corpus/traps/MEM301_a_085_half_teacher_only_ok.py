import copy
import torch
import torch.nn.functional as F


def distill(student, teacher, loader, T=4.0):
    teacher = teacher.cuda().half().eval()
    for p in teacher.parameters():
        p.requires_grad_(False)
    student = student.cuda()
    opt = torch.optim.SGD(student.parameters(), 0.05, momentum=0.9)
    for x, y in loader:
        x = x.cuda()
        with torch.no_grad():
            t = teacher(x.half()).float()
        s = student(x)
        loss = F.kl_div(F.log_softmax(s / T, 1), F.softmax(t / T, 1), reduction="batchmean") * T * T
        opt.zero_grad()
        loss.backward()
        opt.step()
    return copy.deepcopy(student).half()
