import torch

from segkit.losses import SegLoss
from segkit.utils import MetricTracker


class Trainer:
    def __init__(self, model, loaders, cfg):
        self.model, self.cfg = model, cfg
        self.train_loader, self.val_loader = loaders
        self.criterion = SegLoss()
        self.optimizer = getattr(torch.optim, cfg.optim.name)(
            model.parameters(), lr=cfg.optim.lr, weight_decay=cfg.optim.weight_decay
        )
        self.scaler = torch.amp.GradScaler("cuda", enabled=cfg.amp)
        self.train_metrics, self.val_metrics = MetricTracker("loss"), MetricTracker("loss", "iou")

    def _train_epoch(self, epoch):
        self.model.train()
        self.train_metrics.reset()
        for step, (images, masks) in enumerate(self.train_loader):
            images, masks = images.to(self.cfg.device), masks.to(self.cfg.device)
            with torch.autocast("cuda", enabled=self.cfg.amp):
                loss, parts = self.criterion(self.model(images), masks)
            self.scaler.scale(loss / self.cfg.optim.accumulate).backward()
            if (step + 1) % self.cfg.optim.accumulate == 0:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.optim.clip)  #! MEM303
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad(set_to_none=True)
            for name, value in parts.items():
                self.train_metrics.update(name, value, images.size(0))  #! MEM105
        return self.train_metrics.result()

    def _valid_epoch(self):
        self.model.eval()
        self.val_metrics.reset()
        for images, masks in self.val_loader:
            images, masks = images.to(self.cfg.device), masks.to(self.cfg.device)
            outputs = self.model(images)  #! MEM201
            loss, _ = self.criterion(outputs, masks)
            self.val_metrics.update("loss", loss.item(), images.size(0))
            self.val_metrics.update("iou", (outputs[0].argmax(1) == masks).float().mean().item())
        return self.val_metrics.result()

    def train(self):
        best = 0.0
        for epoch in range(self.cfg.epochs):
            log = self._train_epoch(epoch)
            val = self._valid_epoch()
            print(epoch, log, val)
            if val["iou"] > best:
                best = val["iou"]
                torch.save(self.model.state_dict(), "best.pth")
