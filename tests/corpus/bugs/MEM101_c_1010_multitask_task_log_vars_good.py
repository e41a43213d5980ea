import torch
import torch.nn as nn
import wandb
from omegaconf import OmegaConf


class MultiTaskLoss(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.tasks = tasks
        self.log_vars = nn.Parameter(torch.zeros(len(tasks)))

    def forward(self, losses):
        total = 0
        for i, t in enumerate(self.tasks):
            total = total + torch.exp(-self.log_vars[i]) * losses[t] + self.log_vars[i]
        return total


class MTL(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 256), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(256, 1) for t in tasks})

    def forward(self, x):
        z = self.enc(x)
        return {t: h(z) for t, h in self.heads.items()}


def fit(cfg, loaders):
    net, crit = MTL(cfg.tasks).cuda(), MultiTaskLoss(cfg.tasks).cuda()
    opt = torch.optim.AdamW([*net.parameters(), *crit.parameters()], lr=cfg.lr)
    for epoch in range(cfg.epochs):
        sums = {t: 0.0 for t in cfg.tasks}
        weight_trace = {t: [] for t in cfg.tasks}
        for n, (x, y) in enumerate(loaders["train"], start=1):
            opt.zero_grad()
            pred = net(x.cuda())
            losses = {t: nn.functional.mse_loss(pred[t].squeeze(-1), y[t].cuda()) for t in cfg.tasks}
            total = crit(losses)
            total.backward()
            opt.step()
            for i, t in enumerate(cfg.tasks):
                sums[t] = sums[t] + losses[t].detach()
                weight_trace[t].append(torch.exp(-crit.log_vars[i]).item())
            wandb.log({"train/total": total, **{f"train/{t}": losses[t] for t in cfg.tasks}})
        wandb.log({f"epoch/{t}": sums[t] / n for t in cfg.tasks})


fit(OmegaConf.load("cfg.yaml"), {"train": []})
