import math

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn


def main(model, train_loader, val_loader, epochs=300, swa_start=160):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device)
    swa = AveragedModel(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    crit = nn.CrossEntropyLoss()

    def lr_at(e):
        return 0.05 * (0.5 * (1 + math.cos(math.pi * e / epochs)))

    def eval_model(m):
        m.eval()
        loss_sum, right, n = 0.0, 0, 0
        for x, y in val_loader:
            x, y = x.to(device), y.to(device)
            out = m(x)  #! MEM201
            loss_sum += crit(out, y) * len(y)  #! MEM101
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
        return loss_sum / n, right / n

    for e in range(epochs):
        for g in opt.param_groups:
            g["lr"] = lr_at(e)
        model.train()
        for x, y in train_loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            crit(model(x), y).backward()
            opt.step()
        if e >= swa_start:
            swa.update_parameters(model)
            update_bn(train_loader, swa, device)
            print(e, "swa", eval_model(swa))
        else:
            print(e, "sgd", eval_model(model))


if __name__ == "__main__":
    from zoo import get
    main(*get())
