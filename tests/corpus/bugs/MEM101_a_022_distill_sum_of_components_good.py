import os
import torch
import torch.nn as nn
import torch.nn.functional as F


def kd_loss(student_logits, teacher_logits, T):
    return F.kl_div(F.log_softmax(student_logits / T, 1), F.softmax(teacher_logits / T, 1),
                    reduction='batchmean') * T * T


def distill(student, teacher, loader, optimizer, epoch, args):
    student.train()
    teacher.eval()
    loss_ce_sum, loss_kd_sum = 0., 0.
    for idx, (images, target) in enumerate(loader):
        images, target = images.cuda(), target.cuda()
        with torch.no_grad():
            t_logits = teacher(images)
        s_logits = student(images)
        loss_ce = F.cross_entropy(s_logits, target)
        loss_kd = kd_loss(s_logits, t_logits, args.temperature)
        loss = (1 - args.alpha) * loss_ce + args.alpha * loss_kd
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss_ce_sum += loss_ce.data
        loss_kd_sum += loss_kd.data
        if idx % args.print_freq == 0:
            print('{} ce {:.3f} kd {:.3f}'.format(idx, loss_ce_sum / (idx + 1), loss_kd_sum / (idx + 1)))
    return loss_ce_sum / len(loader)
