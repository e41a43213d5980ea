# a hook of a layer trains within the pass of the network: no_grad would stop it

import torch
from torch import nn
from torch.utils.data import DataLoader


class Probe:
    def __init__(self, model: nn.Module, layer: nn.Module, width, device):
        self.model, self.layer, self.device = model, layer, device
        self.head = nn.Linear(width, 10).to(device)
        self.optimizer = torch.optim.Adam(self.head.parameters())

    def train(self, data, epochs):
        self.model.eval()
        self.layer.eval()

        def hook(_module, _input, output):
            self.optimizer.zero_grad()
            loss = self.head(output).square().mean()
            loss.backward()
            self.optimizer.step()

        handle = self.layer.register_forward_hook(hook)
        for _ in range(epochs):
            for batch in DataLoader(data, batch_size=32):
                self.model(batch[0].to(self.device))
        handle.remove()
