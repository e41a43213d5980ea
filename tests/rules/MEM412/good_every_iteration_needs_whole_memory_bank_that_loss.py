# every iteration needs the whole: a memory bank that the loss looks at

import torch
import torch.nn.functional as F


def fit(model, loader, opt):
    bank = torch.zeros(0, 128, device="cuda")
    for x, y in loader:
        f = F.normalize(model(x.cuda()), dim=1)
        loss = F.cross_entropy(f, y.cuda()) + (f @ bank.t()).exp().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        bank = torch.cat([bank, f.detach()])
