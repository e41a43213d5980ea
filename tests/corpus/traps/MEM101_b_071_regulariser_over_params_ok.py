import torch


def l1(model):
    reg = 0.0
    for p in model.parameters():
        reg += p.abs().sum()
    return reg


def train(model, dl, opt, lam):
    for x, y in dl:
        opt.zero_grad()
        penalty = 0
        for name, w in model.named_parameters():
            if "weight" in name:
                penalty = penalty + w.norm()
        loss = torch.nn.functional.cross_entropy(model(x), y) + lam * l1(model) + 1e-4 * penalty
        loss.backward()
        opt.step()
