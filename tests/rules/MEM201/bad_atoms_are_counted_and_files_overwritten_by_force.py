# a file that speaks of atoms, and of `--force`: neither are derivatives

import torch
from elsewhere import build

PADDED = dict(n_atoms=9)


def evaluate(model, loader):
    """Predicts from atomic_numbers; what is there is overwritten with --force."""
    model.eval()
    total = 0.0
    for x in loader:
        out = model(x)  #! MEM201 error
        total += out.mean().item()
    save(total, force=True)
    return total


net = build(**PADDED)
optimizer = torch.optim.Adam(net.parameters())
for _ in range(3):
    for x in train_loader:
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(evaluate(net, test_loader))
