# the base class moves network and batches to the device that the constructor gets

import torch
from toolkit import Estimator, Network


class Clusterer(Estimator):
    def __init__(self, size, device=None):
        super().__init__(size=size, device=device)
        self.model = Network(size)
        self.move_to_given_device()

    @torch.no_grad()
    def predict(self, test_loader):
        self.model.eval()
        latent = []
        for data in test_loader:
            inputs = self.assemble(data)
            results = self.model(inputs)
            latent.append(results["latent"])  #! MEM103 warning
        return torch.cat(latent).cpu().detach().numpy()
