import torch
import torch.nn.functional as F


def train_tbptt(model, stream, opt, k=16):
    hidden = None
    window_loss = 0
    for t, (x, y) in enumerate(stream):
        out, hidden = model(x, hidden)
        window_loss = window_loss + F.cross_entropy(out, y)
        if (t + 1) % k == 0:
            opt.zero_grad()
            window_loss.backward()
            opt.step()
            print(t, window_loss.item() / k)
            window_loss = 0
            hidden = tuple(h.detach() for h in hidden)
