# what is joined goes to a device by name: somebody computes with it there

import torch


@torch.no_grad()
def bank_of(model, loader, device):
    logits = []
    for x, _ in loader:
        logits.append(model(x.to(device)))  #! MEM103 advice
    logits = torch.cat(logits).to(device)
    return logits - logits.logsumexp(1, keepdim=True)


@torch.no_grad()
def record_of(model, loader, device):
    logits = []
    for x, _ in loader:
        logits.append(model(x.to(device)))  #! MEM103 warning
    return torch.cat(logits).to("cpu")
