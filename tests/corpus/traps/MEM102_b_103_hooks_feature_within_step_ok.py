import torch


class Taps:
    def __init__(self, model, names):
        self.feats = {}
        for n, m in model.named_modules():
            if n in names:
                m.register_forward_hook(self._make(n))

    def _make(self, n):
        def fn(mod, i, o):
            self.feats[n] = o
        return fn


def distill(student, teacher, dl, opt, names):
    s, t = Taps(student, names), Taps(teacher, names)
    for x, y in dl:
        with torch.no_grad():
            teacher(x)
        loss = torch.nn.functional.cross_entropy(student(x), y)
        for n in names:
            loss += 0.1 * (s.feats[n] - t.feats[n]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
