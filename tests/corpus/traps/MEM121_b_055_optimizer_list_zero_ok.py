import torch


def main(models, dl):
    optims = [torch.optim.Adam(m.parameters()) for m in models]
    for x, y in dl:
        for o in optims:
            o.zero_grad()
        h = x
        for m in models:
            h = m(h)
        loss = torch.nn.functional.mse_loss(h, y)
        loss.backward()
        [o.step() for o in optims]
        print(loss.item())


def main_dict(nets, dl):
    opts = {k: torch.optim.SGD(n.parameters(), 0.1) for k, n in nets.items()}
    for x, y in dl:
        loss = sum(torch.nn.functional.mse_loss(n(x), y) for n in nets.values())
        [o.zero_grad() for o in opts.values()]
        loss.backward()
        for o in opts.values():
            o.step()
