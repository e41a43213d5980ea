import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class SegTrainer(object):
    """Trains a small segmentation net with mixed precision."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.net = nn.Conv2d(3, 2, 3, padding=1).cuda()
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=cfg["lr"])
        self.amp_scaler = torch.amp.GradScaler("cuda")
        self.criterion = nn.CrossEntropyLoss()

    def _clip(self):
        clip_grad_norm_(self.net.parameters(), self.cfg["clip"])  #! MEM303

    def _update(self, loss):
        self.optim.zero_grad(set_to_none=True)
        self.amp_scaler.scale(loss).backward()
        if self.cfg["clip"] > 0:
            self._clip()
        self.amp_scaler.step(self.optim)
        self.amp_scaler.update()

    def run_epoch(self, batches):
        for img, mask in batches:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = self.criterion(self.net(img.cuda()), mask.cuda())
            self._update(loss)


if __name__ == "__main__":
    trainer = SegTrainer({"lr": 1e-3, "clip": 1.0})
    data = [(torch.randn(2, 3, 16, 16), torch.randint(0, 2, (2, 16, 16))) for _ in range(4)]
    trainer.run_epoch(data)
