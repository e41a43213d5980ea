# a Measurement is no tensor

import torch
from torch.utils import benchmark

net = torch.nn.Linear(128, 128).cuda()
rows = []
for batch in (torch.randn(n, 128, device="cuda") for n in (1, 8, 64)):
    timer = benchmark.Timer(stmt="net(x)", globals={"net": net, "x": batch})
    rows.append(timer.blocked_autorange())
benchmark.Compare(rows).print()
