# helper that the training loop calls, with detached outputs

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

history = []


def remember(reconstruction):
    history.append(reconstruction.detach())  #! MEM103 warning


def train(autoencoder, loader, opt, device):
    for (x,) in loader:
        x = x.to(device)
        rec = autoencoder(x)
        loss = nn.functional.mse_loss(rec, x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        remember(rec)


if __name__ == "__main__":
    device = "cuda:0"
    autoencoder = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 64)).to(device)
    data = TensorDataset(torch.randn(640, 64))
    train(autoencoder, DataLoader(data, batch_size=32), torch.optim.Adam(autoencoder.parameters()), device)
    print(torch.cat(history).var())
