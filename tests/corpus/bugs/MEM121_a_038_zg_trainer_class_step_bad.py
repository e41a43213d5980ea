import os

import torch
import wandb
from torch.utils.data import DataLoader


class BaseTrainer:
    def __init__(self, model, cfg, train_dataset, val_dataset):
        self.model = model
        self.cfg = cfg
        self.train_loader = DataLoader(train_dataset, batch_size=cfg.bs, shuffle=True, num_workers=cfg.nw)
        self.val_loader = DataLoader(val_dataset, batch_size=cfg.bs, num_workers=cfg.nw)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr, betas=(0.9, 0.999))
        self.criterion = torch.nn.MSELoss()

    def train_epoch(self, epoch):
        self.model.train()
        losses = []
        for it, batch in enumerate(self.train_loader):
            out = self.model(batch[0].float().to(self.cfg.device))
            gt = batch[1].float().to(self.cfg.device)
            loss = self.criterion(out, gt)

            loss.backward()  #! MEM121
            self.optimizer.step()
            losses.append(loss.item())
            if it > self.cfg.steps_per_epoch:
                break
        wandb.log({"train/loss": sum(losses) / len(losses), "epoch": epoch})

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        tot = 0.0
        for batch in self.val_loader:
            out = self.model(batch[0].float().to(self.cfg.device))
            tot += self.criterion(out, batch[1].float().to(self.cfg.device)).item()
        return tot / len(self.val_loader)

    def fit(self):
        best = 1e9
        for epoch in range(self.cfg.epochs):
            self.train_epoch(epoch)
            v = self.validate()
            if v < best:
                best = v
                torch.save(self.model.state_dict(), os.path.join(self.cfg.out, "best.pt"))
