# Temporary lists inside of a condition: each is new when it is filled.
import torch
from torch import nn

net, opt_args = nn.Linear(5, 5), {"lr": 0.1}
opt = torch.optim.SGD(net.parameters(), **opt_args)
for step in range(400):
    x = torch.randn(20, 5)
    out = net(x)
    loss = (out - x).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        parts = [o.abs().sum() for o in out]
        sizes = {"rows": [], "columns": []}
        for row, column in zip(out, out.t()):
            sizes["rows"].append(row.norm())
            sizes["columns"].append(column.norm())
        total = 0
        for part in parts:
            total = total + part
        print(step, float(total), {k: float(sum(v)) for k, v in sizes.items()})
