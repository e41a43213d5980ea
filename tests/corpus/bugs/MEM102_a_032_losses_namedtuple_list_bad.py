from collections import namedtuple

import torch
import torch.nn.functional as F

StepResult = namedtuple("StepResult", ["loss", "acc", "lr"])


def contrastive_step(model, q, k, temperature=0.07):
    zq = F.normalize(model(q), dim=1)
    zk = F.normalize(model(k), dim=1)
    logits = zq @ zk.t() / temperature
    labels = torch.arange(len(q), device=q.device)
    return F.cross_entropy(logits, labels), (logits.argmax(1) == labels).float().mean()


def pretrain(model, loader, optimizer, lr_schedule, epochs):
    results = []
    for epoch in range(epochs):
        for it, (q, k) in enumerate(loader):
            lr = lr_schedule[epoch * len(loader) + it]
            for pg in optimizer.param_groups:
                pg["lr"] = lr
            loss, acc = contrastive_step(model, q.cuda(), k.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            results.append(StepResult(loss, acc, lr))  #! MEM102
    return results
