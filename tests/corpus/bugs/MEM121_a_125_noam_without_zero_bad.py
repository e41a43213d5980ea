import torch
import torch.nn.functional as F


class NoamOpt:
    def __init__(self, model_size, warmup, optimizer):
        self.optimizer = optimizer
        self.model_size = model_size
        self.warmup = warmup
        self._step = 0

    def step(self):
        self._step += 1
        rate = self.model_size ** -0.5 * min(self._step ** -0.5, self._step * self.warmup ** -1.5)
        for p in self.optimizer.param_groups:
            p["lr"] = rate
        self.optimizer.step()


def run_epoch(data_iter, model, opt):
    total = 0.0
    for i, batch in enumerate(data_iter):
        out = model(batch.src, batch.trg, batch.src_mask, batch.trg_mask)
        loss = F.cross_entropy(out.flatten(0, 1), batch.trg_y.flatten(), ignore_index=0)
        loss.backward()  #! MEM121
        opt.step()
        total += loss.item()
        if i % 50 == 1:
            print("step %d loss %f" % (i, total / (i + 1)))
    return total


def main(model, iters):
    opt = NoamOpt(512, 4000, torch.optim.Adam(model.parameters(), lr=0, betas=(0.9, 0.98), eps=1e-9))
    for data in iters:
        run_epoch(data, model, opt)
