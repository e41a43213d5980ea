# what is gathered is the input of a network on the GPU, which the file also moves away after use

import torch


class Speaker:
    def __init__(self, path, device="cuda"):
        self.device = device
        self.front = torch.nn.Conv1d(1, 80, 400).to(device)
        self.autoregressive = torch.load(path, weights_only=False)
        self.autoregressive.eval()

    @torch.no_grad()
    def latents(self, sample_loader):
        conditions = []
        for sample in sample_loader:
            conditions.append(self.front(sample.to(self.device)))  #! MEM103 advice
        conditions = torch.stack(conditions, dim=1)
        self.autoregressive = self.autoregressive.to(self.device)
        latent = self.autoregressive.get_conditioning(conditions)
        self.autoregressive = self.autoregressive.cpu()
        return latent


def train(net, batches, optimizer):
    for x, y in batches:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
