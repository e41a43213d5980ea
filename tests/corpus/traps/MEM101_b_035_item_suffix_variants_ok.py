import numpy as np
import torch


def loop(model, dl, opt, crit):
    a = b = c = d = 0.0
    e, f, g = [], [], []
    for x, y in dl:
        opt.zero_grad()
        loss = crit(model(x), y)
        loss.backward()
        opt.step()
        a += float(loss)
        b += loss.detach()
        c += loss.data
        d += loss.cpu().detach().numpy()
        e.append(loss.tolist())
        f.append(np.asarray(loss.detach().cpu()))
        g += [loss.item()]
    return a, b, c, d, np.mean(e), np.mean(f), sum(g)
