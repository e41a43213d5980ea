import torch
import torch.nn.functional as F


class NoamOpt:
    """Learning-rate schedule around an optimizer; also clears the gradients."""

    def __init__(self, model_size, factor, warmup, optimizer):
        self.optimizer = optimizer
        self._step = 0
        self.model_size, self.factor, self.warmup = model_size, factor, warmup

    def rate(self):
        s = self._step
        return self.factor * self.model_size ** -0.5 * min(s ** -0.5, s * self.warmup ** -1.5)

    def step(self):
        self._step += 1
        for p in self.optimizer.param_groups:
            p["lr"] = self.rate()
        self.optimizer.step()
        self.optimizer.zero_grad()


def run(model, batches, d_model=512):
    opt = NoamOpt(d_model, 2, 4000, torch.optim.Adam(model.parameters(), lr=0, betas=(0.9, 0.98), eps=1e-9))
    total = 0.0
    for i, (src, tgt) in enumerate(batches):
        out = model(src, tgt[:, :-1])
        loss = F.cross_entropy(out.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        opt.step()
        total += loss.item()
        if i % 50 == 49:
            print(i, total / 50)
            total = 0.0
