import argparse

import torch
import torch.nn.functional as F
from torch.utils import data


def consistency(model, weak, strong, threshold):
    with torch.no_grad():
        probs = F.softmax(model(weak), dim=1)
    top, guess = probs.max(dim=1)
    keep = (top > threshold).float()
    return (F.cross_entropy(model(strong), guess, reduction="none") * keep).mean()


def run_epoch(args, model, opt, sup_loader, unsup_loader):
    model.train()
    unsup_it = iter(unsup_loader)
    for i, (x, y) in enumerate(sup_loader):
        try:
            weak, strong = next(unsup_it)
        except StopIteration:
            unsup_it = iter(unsup_loader)
            weak, strong = next(unsup_it)
        loss = F.cross_entropy(model(x), y) + args.lam * consistency(model, weak, strong, 0.95)
        opt.zero_grad()
        loss.backward()
        opt.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lam", type=float, default=1.0)
    args = parser.parse_args()
    from mydata import SupSet, UnsupSet

    sup_loader = data.DataLoader(SupSet(), batch_size=64, shuffle=True, num_workers=2, drop_last=True)
    unsup_loader = data.DataLoader(UnsupSet(), batch_size=448, shuffle=True, num_workers=4, drop_last=True)
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10))
    opt = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    for _ in range(100):
        run_epoch(args, model, opt, sup_loader, unsup_loader)


if __name__ == "__main__":
    main()
