import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(8192, 8192), nn.Linear(8192, 4))
ema = nn.Sequential(nn.Linear(8192, 8192), nn.Linear(8192, 4)).requires_grad_(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
window = 4

for i in range(16):  # the window clears after its step
    loss = net(torch.randn(2, 8192)).mean() / window
    loss.backward()
    if (i + 1) % window == 0:
        opt.step()
        opt.zero_grad(set_to_none=True)

for i in range(4):  # only the frozen copy runs before the clearing
    with torch.no_grad():
        goal = ema(torch.randn(2, 8192))
    opt.zero_grad()
    loss = (net(torch.randn(2, 8192)) - goal).pow(2).mean()
    loss.backward()
    opt.step()

for i in range(4):  # two passes; the second clears what the first one left on purpose
    x = torch.randn(2, 8192)
    opt.zero_grad()
    first = net(x).mean()
    first.backward()
    probe = [p.grad.clone() for p in net.parameters()]
    opt.zero_grad()
    second = net(x + 0.01).mean()
    second.backward()
    opt.step()
    print(len(probe))
