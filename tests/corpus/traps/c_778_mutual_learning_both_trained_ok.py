import itertools

import torch
import torch.nn.functional as F


def deep_mutual(a, b, loader, lr):
    """Each net is the other's teacher, and both are trained by their own optimizer."""
    opt_a = torch.optim.SGD(a.parameters(), lr)
    opt_b = torch.optim.SGD(b.parameters(), lr)
    for x, y in loader:
        pa, pb = a(x), b(x)
        la = F.cross_entropy(pa, y) + F.kl_div(pa.log_softmax(1), pb.detach().softmax(1), reduction="batchmean")
        lb = F.cross_entropy(pb, y) + F.kl_div(pb.log_softmax(1), pa.detach().softmax(1), reduction="batchmean")
        opt_a.zero_grad()
        la.backward()
        opt_a.step()
        opt_b.zero_grad()
        lb.backward()
        opt_b.step()


def joint(encoder, head, proj, loader):
    opt = torch.optim.Adam(itertools.chain(encoder.parameters(), head.parameters(), proj.parameters()))
    for x, y in loader:
        h = encoder(x)
        loss = F.cross_entropy(head(h), y) + F.cross_entropy(proj(h.detach()), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
