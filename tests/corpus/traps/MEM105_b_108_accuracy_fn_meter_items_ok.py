import torch


class Meters(dict):
    def __missing__(self, k):
        self[k] = [0.0, 0]
        return self[k]

    def update_all(self, n=1, **kw):
        for k, v in kw.items():
            slot = self[k]
            slot[0] += float(v) * n
            slot[1] += n


def train(model, loader, opt):
    meters = Meters()
    for x, y in loader:
        out = model(x)
        loss = torch.nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meters.update_all(len(x), loss=loss, acc=(out.argmax(1) == y).float().mean())
    return {k: s / n for k, (s, n) in meters.items()}
