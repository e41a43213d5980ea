import torch


class SimpleLossCompute:
    def __init__(self, generator, criterion, opt=None):
        self.generator, self.criterion, self.opt = generator, criterion, opt

    def __call__(self, x, y, norm):
        x = self.generator(x)
        loss = self.criterion(x.contiguous().view(-1, x.size(-1)), y.contiguous().view(-1)) / norm
        if self.opt is not None:
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()
        return loss.item() * norm


def run_epoch(it, model, compute):
    total, tokens = 0, 0
    for b in it:
        out = model(b.src, b.trg)
        total += compute(out, b.trg_y, b.ntokens)
        tokens += b.ntokens
    return total / tokens


def main(train_it, val_it, model, crit, opt, epochs):
    for e in range(epochs):
        model.train()
        run_epoch(train_it(), model, SimpleLossCompute(model.generator, crit, opt))
        model.eval()
        with torch.no_grad():
            print(e, run_epoch(val_it(), model, SimpleLossCompute(model.generator, crit)))
