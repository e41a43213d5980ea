import torch
from torch import nn


class Engine:
    def __init__(self, model, opt, use_amp, grad_clip=None):
        self.model, self.opt, self.use_amp, self.grad_clip = model, opt, use_amp, grad_clip
        self.scaler = torch.amp.GradScaler("cuda", enabled=use_amp)

    def backward_and_step(self, loss):
        if self.use_amp:
            self.scaler.scale(loss).backward()  #! MEM121
            if self.grad_clip:
                self.scaler.unscale_(self.opt)
                nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)
            self.scaler.step(self.opt)
            self.scaler.update()
        else:
            loss.backward()  #! MEM121
            self.opt.step()

    def forward_loss(self, batch):
        with torch.autocast("cuda", enabled=self.use_amp):
            x, y = (t.cuda(non_blocking=True) for t in batch)
            return nn.functional.cross_entropy(self.model(x), y)

    def fit(self, loader, epochs):
        for ep in range(epochs):
            self.model.train()
            seen = total = 0
            for batch in loader:
                loss = self.forward_loss(batch)
                self.backward_and_step(loss)
                total += loss.item()
                seen += 1
            print(ep, total / seen)


def main(loader):
    net = nn.Sequential(nn.Flatten(), nn.Linear(3072, 512), nn.GELU(), nn.Linear(512, 10)).cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    Engine(net, opt, use_amp=torch.cuda.is_available()).fit(loader, 10)
