# the last steps are copied, or cut on the GPU before they go to the host

import torch


class Recorder:
    def __init__(self, model, keep):
        self.model = model
        self.keep = keep

    @torch.no_grad()
    def record(self, loader):
        for number, x in enumerate(loader):
            states = self.model(x.cuda())
            torch.save(states[:, -self.keep :].cpu(), f"{number}.pt")


@torch.no_grad()
def record(model, loader, steps):
    for number, x in enumerate(loader):
        states = model(x.cuda()).float()
        torch.save(
            {"end": states[..., -steps:].clone(), "mean": states[..., -steps:].mean(-1)}, f"{number}.pt"
        )
