import torch
import torch.nn.functional as F


def distill(teacher, student, loader):
    teacher = teacher.half().cuda().eval()
    for p in teacher.parameters():
        p.requires_grad_(False)
    student.cuda()
    opt = torch.optim.Adam(student.parameters(), lr=1e-4)
    for x, in loader:
        x = x.cuda()
        with torch.no_grad():
            t = teacher(x.half()).float()
        loss = F.kl_div(F.log_softmax(student(x), -1), F.softmax(t, -1), reduction="batchmean")
        opt.zero_grad()
        loss.backward()
        opt.step()
