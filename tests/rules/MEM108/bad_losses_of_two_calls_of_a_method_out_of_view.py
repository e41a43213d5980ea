# each loss has a pass through the method of its own

import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self, backbone, width):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(width, 1)

    def forward(self, latent):
        return self.head(latent)

    def fit(self, loader):
        head_optimizer = torch.optim.Adam(self.head.parameters())
        criterion = nn.BCEWithLogitsLoss()
        for genes, response in loader:
            head_optimizer.zero_grad()
            loss = criterion(self.forward(genes), response)
            loss.backward(retain_graph=True)  #! MEM108 warning
            other = criterion(self.forward(torch.flip(genes, [0])), response)
            other.backward()
            head_optimizer.step()
