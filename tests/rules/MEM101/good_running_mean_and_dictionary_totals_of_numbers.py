# running mean and dictionary totals of numbers

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters())
avg, totals = 0.0, {}
for i, x in enumerate(torch.randn(50, 8, 4)):
    out = net(x)
    parts = {"mean": out.mean().abs(), "var": out.var()}
    loss = sum(parts.values())
    opt.zero_grad()
    loss.backward()
    opt.step()
    avg = (avg * i + loss.item()) / (i + 1)
    for k, v in parts.items():
        totals[k] = totals.get(k, 0.0) + v.item()
    totals["cpu"] = totals.get("cpu", 0.0) + loss.cpu().detach().numpy()
print(avg, totals)
