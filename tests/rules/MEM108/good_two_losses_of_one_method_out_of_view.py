# the two losses come from one call of a method whose class is in no file at hand

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
        backbone_optimizer = torch.optim.Adam(self.backbone.parameters())
        criterion = nn.BCEWithLogitsLoss()
        for genes, response in loader:
            decoded, latent, _ = self.backbone.predict(genes, return_latent=True)
            kept = []
            for step, one in enumerate(decoded):
                if one.numel() > 0:
                    kept.append(latent[step][response > 0])
            head_optimizer.zero_grad()
            backbone_optimizer.zero_grad()
            loss = criterion(self.forward(torch.concat(kept, axis=0)), response)
            rebuilt = sum(self.backbone.distance(one, genes) for one in decoded)
            loss.backward(retain_graph=True)
            rebuilt.backward()
            head_optimizer.step()
            backbone_optimizer.step()
