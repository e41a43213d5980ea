import torch


def build_optimizer(model, lr, wd):
    decay, no_decay, params = [], [], []
    for name, p in model.named_parameters():
        if not p.requires_grad:
            continue
        if p.ndim == 1 or name.endswith(".bias"):
            no_decay.append(p)
        else:
            decay.append(p)
        params += [{"params": [p], "lr": lr * (2 if "bias" in name else 1)}]
    groups = [{"params": decay, "weight_decay": wd}, {"params": no_decay, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr), params


def layers(net):
    out = {}
    for n, m in net.named_modules():
        out.setdefault(type(m).__name__, []).append(n)
    return out
