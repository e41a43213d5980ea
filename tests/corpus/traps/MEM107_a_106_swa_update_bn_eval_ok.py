import torch
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn


def train(model, loader, val, epochs, swa_start):
    opt = torch.optim.SGD(model.parameters(), 0.1)
    swa_model = AveragedModel(model)
    swa_sched = SWALR(opt, 0.05)
    crit = torch.nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            crit(model(x), y).backward()
            opt.step()
        if epoch > swa_start:
            swa_model.update_parameters(model)
            swa_sched.step()
    update_bn(loader, swa_model)
    swa_model.eval()
    with torch.no_grad():
        return sum((swa_model(x).argmax(1) == y).sum().item() for x, y in val)
