import torch
import torch.nn as nn
import torch.nn.functional as F


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Conv2d(6, 32, 3, padding=1)
        self.o = nn.Conv2d(32, 2, 3, padding=1)

    def forward(self, a, b):
        h = F.leaky_relu(self.f(torch.cat([a, b], 1)), 0.1)
        return self.o(h)


def epe(pred, gt):
    return torch.norm(pred - gt, 2, 1).mean()


def sequence_loss(preds, gt, gamma=0.8):
    total = 0.0
    for i, p in enumerate(preds):
        total += gamma ** (len(preds) - i - 1) * (p - gt).abs().mean()
    return total


def train(loader, steps, device):
    model = Flow().to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=4e-4, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-4, steps + 100)
    metric_sum, n = 0.0, 0
    done = False
    while not done:
        for a, b, gt in loader:
            a, b, gt = a.to(device), b.to(device), gt.to(device)
            flow = model(a, b)
            loss = sequence_loss([flow], gt)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            metric_sum += epe(flow, gt)  #! MEM101
            n += 1
            if n % 100 == 0:
                print(n, "epe", float(metric_sum) / n)
            if n >= steps:
                done = True
                break
    return model
