from collections import defaultdict
from typing import Dict

import torch
from torch import Tensor


class ModelTrainer:
    def __init__(self, model, optimizer, loss_fn, device):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.device = device
        self.scaler = torch.amp.GradScaler("cuda")

    def train_one_batch(self, images: Tensor, targets: Tensor) -> Dict[str, Tensor]:
        images, targets = images.to(self.device), targets.to(self.device)
        self.optimizer.zero_grad()
        with torch.autocast("cuda"):
            predicts = self.model(images)
            loss, loss_item = self.loss_fn(predicts, targets)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=10.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return {"box": loss_item[0], "dfl": loss_item[1], "cls": loss_item[2], "total": loss}

    def train_one_epoch(self, dataloader):
        self.model.train()
        total_loss = defaultdict(lambda: torch.tensor(0.0, device=self.device))
        total_samples = 0
        for batch_size, images, targets in dataloader:
            loss_each = self.train_one_batch(images, targets)
            for loss_name, loss_val in loss_each.items():
                total_loss[loss_name] += loss_val.detach() * batch_size
            total_samples += batch_size
        for loss_val in total_loss.values():
            loss_val /= total_samples
        return total_loss
