# Batch losses are numbers, but the regulariser's values are kept as they are.
import torch
from torch import nn


def orthogonality(net):
    return sum((w @ w.t() - torch.eye(len(w))).square().mean() for w in net.parameters() if w.ndim == 2)


net = nn.Sequential(nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 4))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
log = {"loss": [], "penalty": []}
for epoch in range(5):
    for _ in range(200):
        x = torch.randn(64, 32)
        loss = nn.functional.cross_entropy(net(x), x[:, :4].argmax(1))
        penalty = orthogonality(net)
        opt.zero_grad()
        (loss + 0.1 * penalty).backward()
        opt.step()
        log["loss"].append(loss.item())
        log["penalty"].append(penalty)  #! MEM102
    print(epoch, sum(log["loss"][-200:]) / 200, float(sum(log["penalty"][-200:])) / 200)
