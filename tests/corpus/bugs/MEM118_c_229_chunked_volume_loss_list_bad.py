import torch
from torch import nn

net = nn.Sequential(nn.Conv3d(1, 8, 3, padding=1), nn.PReLU(), nn.Conv3d(8, 1, 1))
bce = nn.BCEWithLogitsLoss()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)


def volume_loss(volume, mask, size=8):
    parts = []
    for z in range(0, volume.shape[2], size):
        patch_loss = bce(net(volume[:, :, z:z + size]), mask[:, :, z:z + size])
        parts.append(patch_loss)  #! MEM118
    return sum(parts) / len(parts)


for it in range(10):
    vol = torch.rand(1, 1, 32, 24, 24)
    lab = (vol > 0.5).float()
    loss = volume_loss(vol, lab)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, loss.item())
