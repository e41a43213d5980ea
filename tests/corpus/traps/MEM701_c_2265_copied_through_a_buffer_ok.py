"""A network that cannot be copied is written to a buffer and read again, by one process."""
import copy
import io
import torch
from torch import nn


class SelfDistilled:
    def __init__(self, net: nn.Module, device: str):
        self.net = net.to(device)
        self.device = device
        self.adam = torch.optim.Adam(self.net.parameters())

    def refresh(self):
        try:
            self.old = copy.deepcopy(self.net)
        except RuntimeError:
            held = io.BytesIO()
            torch.save(self.net, held)
            held.seek(0)
            self.old = torch.load(held, weights_only=False)
        self.old = self.old.to(self.device).eval()
        for weight in self.old.parameters():
            weight.requires_grad_(False)

    def step(self, x):
        x = x.to(self.device)
        loss = nn.functional.mse_loss(self.net(x), self.old(x))
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()


if __name__ == "__main__":
    SelfDistilled(nn.Linear(512, 512), "cuda").refresh()
