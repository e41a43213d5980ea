import torch
from torch import nn
from torch.utils.data import DataLoader

VIRTUAL = 16


class SegTrainer:
    def __init__(self, net, ds, lr=1e-4, bs=2):
        self.net, self.loader = net, DataLoader(ds, batch_size=bs, shuffle=True, num_workers=2)
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")
        self.crit = nn.BCEWithLogitsLoss()
        self.iteration = 0
        self.repeats = VIRTUAL // bs

    def _backward(self, image, mask):
        with torch.autocast("cuda"):
            loss = self.crit(self.net(image), mask) / self.repeats
        self.scaler.scale(loss).backward()
        return loss.detach()

    def _update(self):
        self.scaler.unscale_(self.optim)
        nn.utils.clip_grad_norm_(self.net.parameters(), 12)
        self.scaler.step(self.optim)
        self.scaler.update()
        self.optim.zero_grad(set_to_none=True)

    def run(self, epochs):
        for _ in range(epochs):
            for image, mask in self.loader:
                self._backward(image.cuda(), mask.cuda())
                self.iteration += 1
                if not self.iteration % self.repeats:
                    self._update()
