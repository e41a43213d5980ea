# subclasses write the forward pass, the base class gathers what it gives

from abc import ABC, abstractmethod

import torch


class Detector(ABC):
    def __init__(self, net, device="cuda"):
        self.net = net.to(device)

    @abstractmethod
    def forward_batch(self, batch):
        """Representations and scores of a batch."""

    def scores(self, loader):
        self.net.eval()
        gathered = []
        with torch.no_grad():
            for batch in loader:
                representation, _ = self.forward_batch(batch)
                gathered.append(representation)  #! MEM103 warning
        return torch.cat(gathered).cpu().numpy()
