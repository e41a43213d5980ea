import numpy as np
import torch
import torch.nn.functional as F


def extract_features(model, dataloader, flip=True):
    model.eval()
    feats, pids, camids = [], [], []
    with torch.no_grad():
        for imgs, pid, cam in dataloader:
            imgs = imgs.cuda()
            f = model(imgs)
            if flip:
                f = f + model(torch.flip(imgs, dims=[3]))
            f = F.normalize(f, p=2, dim=1)
            feats.append(f.data.cpu())
            pids.extend(pid.tolist())
            camids.extend(cam.tolist())
    return torch.cat(feats, 0), np.asarray(pids), np.asarray(camids)


def test(model, queryloader, galleryloader, ranks=(1, 5, 10)):
    qf, q_pids, q_camids = extract_features(model, queryloader)
    gf, g_pids, g_camids = extract_features(model, galleryloader)
    dist = torch.cdist(qf, gf).numpy()
    order = dist.argsort(axis=1)
    hits = (g_pids[order] == q_pids[:, None])
    for r in ranks:
        print("Rank-%d %.1f%%" % (r, 100 * hits[:, :r].any(1).mean()))
    return dist
