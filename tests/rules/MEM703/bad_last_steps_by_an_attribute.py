# how many of the last steps are saved is an attribute or a variable

import torch


class Recorder:
    def __init__(self, model, keep):
        self.model = model
        self.keep = keep

    @torch.no_grad()
    def record(self, loader):
        for number, x in enumerate(loader):
            states = self.model(x.cuda()).cpu()
            torch.save(states[:, -self.keep :], f"{number}.pt")  #! MEM703 warning


@torch.no_grad()
def record(model, loader, steps):
    for number, x in enumerate(loader):
        states = model(x.cuda()).float()
        torch.save({"end": states[..., -steps:]}, f"{number}.pt")  #! MEM703 warning
