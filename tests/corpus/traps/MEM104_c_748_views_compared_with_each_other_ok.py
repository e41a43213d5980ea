import torch
import torch.nn.functional as F


def multi_crop_loss(student, teacher, crops, temp=0.1):
    """Every crop is compared with every other: all forwards are needed at once."""
    with torch.no_grad():
        goal = [F.softmax(teacher(c) / 0.04, -1) for c in crops[:2]]
    outs = []
    for c in crops:
        outs.append(F.log_softmax(student(c) / temp, -1))
    total, n = 0, 0
    for i, g in enumerate(goal):
        for j, o in enumerate(outs):
            if i != j:
                total = total - (g * o).sum(-1).mean()
                n += 1
    return total / n


def train(student, teacher, loader, opt):
    for crops, _ in loader:
        loss = multi_crop_loss(student, teacher, [c.cuda() for c in crops])
        opt.zero_grad()
        loss.backward()
        opt.step()
