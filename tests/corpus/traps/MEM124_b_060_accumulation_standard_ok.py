import torch


def train(model, dl, opt, sched, k, device):
    opt.zero_grad()
    total = torch.zeros((), device=device)
    for i, (x, y) in enumerate(dl):
        loss = torch.nn.functional.cross_entropy(model(x.to(device)), y.to(device)) / k
        loss.backward()
        total += loss.detach()
        if (i + 1) % k == 0:
            opt.step()
            sched.step()
            opt.zero_grad(set_to_none=True)
    if len(dl) % k != 0:
        opt.step()
        opt.zero_grad()
    return (total / len(dl)).item()
