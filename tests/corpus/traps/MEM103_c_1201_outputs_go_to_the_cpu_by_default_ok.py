"""A wrapper gives its outputs batch by batch on the device that its caller asks for, the CPU unless told."""
import torch

from devices import to_device


class Wrapper:
    def __init__(self, module, loader):
        self.module, self.loader = module.cuda(), loader

    @torch.no_grad()
    def outputs(self, device="cpu"):
        self.module.eval()
        for batch in self.loader:
            prediction = self.module(batch.cuda())
            yield to_device(prediction, device=device)

    def predict(self):
        return torch.cat(list(self.outputs())).numpy()
