# Patches are moved to the GPU inside of the data set.
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = "cuda:0"


class Patches(Dataset):
    def __init__(self, volumes, size=32):
        self.volumes, self.size = volumes, size

    def __len__(self):
        return 20000

    def __getitem__(self, i):
        volume = self.volumes[i % len(self.volumes)]
        at = np.random.randint(0, np.array(volume.shape) - self.size)
        cut = volume[tuple(slice(a, a + self.size) for a in at)]
        patch = torch.from_numpy(cut[None].copy())
        return patch, (patch > 0.5).float()


if __name__ == "__main__":
    volumes = np.random.rand(4, 96, 96, 96).astype(np.float32)
    loader = DataLoader(Patches(volumes), batch_size=8, num_workers=4, shuffle=True, pin_memory=True)
    net = nn.Sequential(nn.Conv3d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv3d(16, 1, 1)).to(device)
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
