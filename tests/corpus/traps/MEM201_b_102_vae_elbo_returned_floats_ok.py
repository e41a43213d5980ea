import torch
import torch.nn.functional as F


def elbo(model, x):
    xh, mu, lv = model(x)
    rec = F.mse_loss(xh, x)
    kl = -0.5 * (1 + lv - mu ** 2 - lv.exp()).mean()
    return rec + kl, {"rec": float(rec), "kl": kl.detach()}


def train(model, dl, opt):
    sums = {"rec": 0.0, "kl": 0.0}
    for x, in dl:
        loss, parts = elbo(model, x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for k in sums:
            sums[k] += parts[k]
    return {k: v / len(dl) for k, v in sums.items()}
