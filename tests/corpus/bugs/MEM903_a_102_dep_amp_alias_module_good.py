import torch
import torch.amp as amp


class DetTrainer:
    def __init__(self, model, loader, optimizer, device=0):
        self.model, self.loader, self.optimizer = model, loader, optimizer
        self.scaler = amp.GradScaler("cuda", init_scale=2.0 ** 12)
        self.device = device

    def epoch(self):
        for images, targets in self.loader:
            images = images.to(self.device)
            with amp.autocast("cuda", enabled=True):
                losses = self.model(images, targets)
                loss = sum(losses.values())
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
