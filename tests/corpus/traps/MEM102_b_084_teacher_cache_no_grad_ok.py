import torch
import torch.nn.functional as F


def cache_logits(teacher, dl):
    cache = {}
    teacher.eval()
    with torch.no_grad():
        for idx, x, _ in dl:
            for i, l in zip(idx.tolist(), teacher(x)):
                cache[i] = l.cpu()
    return cache


def train(student, dl, cache, opt):
    for idx, x, y in dl:
        t = torch.stack([cache[i] for i in idx.tolist()])
        loss = F.mse_loss(student(x), t) + F.cross_entropy(student(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
