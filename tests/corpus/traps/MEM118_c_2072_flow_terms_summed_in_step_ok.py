# The terms of one step come as a list, are summed and back-propagated; the totals are numbers.
import torch
from torch import nn

layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(6))
opt = torch.optim.Adam(layers.parameters(), 1e-3)
totals = []
for step in range(400):
    x, terms = torch.randn(64, 4), []
    for layer in layers:
        x = torch.tanh(layer(x)) + x
        terms.append(torch.linalg.slogdet(layer.weight)[1])
    logdet = sum(terms)
    nll = 0.5 * x.square().sum(1).mean() - logdet
    opt.zero_grad()
    nll.backward()
    opt.step()
    totals += [nll.item()]
    *_, last = terms
print(sum(totals) / len(totals), float(last))
