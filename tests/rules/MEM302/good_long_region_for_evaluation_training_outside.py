# a long region for evaluation, training outside of it

import torch


def evaluate(net, batches):
    with torch.no_grad(), torch.autocast("cuda"):
        return sum(net(x).float().mean().item() for x in batches)


net = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(10, 2, 4, device="cuda")
for epoch in range(3):
    for x in data:
        loss = net(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(evaluate(net, data))
