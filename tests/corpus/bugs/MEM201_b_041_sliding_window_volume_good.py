import nibabel as nib
import numpy as np
import torch
from torch import nn


def positions(shape, patch, stride):
    zs, ys, xs = [list(range(0, max(s - p, 0) + 1, st)) for s, p, st in zip(shape, patch, stride)]
    for z in zs:
        for y in ys:
            for x in xs:
                yield z, y, x


def infer_volume(net, vol, patch=(64, 128, 128), stride=(32, 64, 64), classes=4):
    net.eval()
    score = torch.zeros(classes, *vol.shape, device="cuda")
    count = torch.zeros(1, *vol.shape, device="cuda")
    with torch.no_grad():
        for z, y, x in positions(vol.shape, patch, stride):
            sl = (slice(z, z + patch[0]), slice(y, y + patch[1]), slice(x, x + patch[2]))
            inp = torch.from_numpy(vol[sl]).float()[None, None].cuda()
            out = net(inp)
            score[(slice(None),) + sl] += out[0].softmax(0)
            count[(slice(None),) + sl] += 1
    return (score / count.clamp(min=1)).argmax(0).cpu().numpy()


def dice(a, b, c):
    a, b = a == c, b == c
    return 2 * (a & b).sum() / max(a.sum() + b.sum(), 1)


def main(net, cases):
    for img, seg in cases:
        vol = nib.load(img).get_fdata().astype(np.float32)
        vol = (vol - vol.mean()) / vol.std()
        pred = infer_volume(net, vol)
        gt = nib.load(seg).get_fdata()
        print(img, [round(float(dice(pred, gt, c)), 3) for c in range(1, 4)])
