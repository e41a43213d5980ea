from functools import partial

import torch
from lightning.fabric import Fabric
from torch import nn


class LabelSmoothing(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, logits, y):
        lp = logits.log_softmax(-1)
        nll = -lp.gather(-1, y.unsqueeze(-1)).squeeze(-1)
        return ((1 - self.eps) * nll - self.eps * lp.mean(-1)).mean()


def val_loop(fabric, model, loader, loss_fn):
    model.eval()
    tot = torch.zeros((), device=fabric.device)
    for x, y in loader:
        tot = tot + loss_fn(model(x), y)  #! MEM201 #! MEM101
    return fabric.all_reduce(tot / len(loader))


def main(make_model, train_loader, val_loader, epochs=20):
    fabric = Fabric(accelerator="auto", precision="bf16-mixed")
    fabric.launch()
    model = make_model()
    opt = torch.optim.AdamW(model.parameters(), 5e-4)
    model, opt = fabric.setup(model, opt)
    train_loader, val_loader = fabric.setup_dataloaders(train_loader, val_loader)
    loss_fn = LabelSmoothing(0.1)
    validate = partial(val_loop, fabric, model, val_loader, loss_fn)
    for ep in range(epochs):
        model.train()
        for i, (x, y) in enumerate(train_loader):
            loss = loss_fn(model(x), y)
            fabric.backward(loss)  #! MEM121
            fabric.clip_gradients(model, opt, max_norm=1.0)
            opt.step()
        fabric.print(ep, loss.item(), float(validate()))
