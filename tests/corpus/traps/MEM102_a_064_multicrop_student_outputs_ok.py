import torch
import torch.nn.functional as F


def dino_step(student, teacher, crops, temp=0.1, t_temp=0.04):
    with torch.no_grad():
        t_outs = [F.softmax(teacher(c) / t_temp, -1) for c in crops[:2]]
    s_outs = []
    for c in crops:
        s_outs.append(F.log_softmax(student(c) / temp, -1))
    total_loss, n = 0, 0
    for i, t in enumerate(t_outs):
        for j, s in enumerate(s_outs):
            if i == j:
                continue
            total_loss += torch.sum(-t * s, dim=-1).mean()
            n += 1
    return total_loss / n


def train(student, teacher, loader, opt, m=0.996):
    for crops, _ in loader:
        loss = dino_step(student, teacher, [c.cuda() for c in crops])
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for q, k in zip(student.parameters(), teacher.parameters()):
                k.data.mul_(m).add_((1 - m) * q.detach().data)
        print(loss.item())
