import torch
from torch import nn

net = nn.Sequential(nn.Conv3d(1, 8, 3, padding=1), nn.PReLU(), nn.Conv3d(8, 1, 1))
bce = nn.BCEWithLogitsLoss()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)


def volume_backward(volume, mask, size=8):
    parts = []
    for z in range(0, volume.shape[2], size):
        patch_loss = bce(net(volume[:, :, z:z + size]), mask[:, :, z:z + size])
        patch_loss = patch_loss / (volume.shape[2] // size)
        patch_loss.backward()
        parts.append(patch_loss.detach())
    return sum(parts)


for it in range(10):
    vol = torch.rand(1, 1, 32, 24, 24)
    lab = (vol > 0.5).float()
    opt.zero_grad()
    loss = volume_backward(vol, lab)
    opt.step()
    print(it, loss.item())
