import torch


def energy_forces(model, pos, z):
    pos.requires_grad_(True)
    e = model(pos, z)
    f = -torch.autograd.grad(e.sum(), pos)[0]
    return e.detach(), f.detach()


def evaluate(model, loader):
    model.eval()
    mae_e = mae_f = 0.0
    for pos, z, e, f in loader:
        pe, pf = energy_forces(model, pos, z)
        mae_e += (pe - e).abs().mean()
        mae_f += (pf - f).abs().mean()
    return mae_e / len(loader), mae_f / len(loader)
