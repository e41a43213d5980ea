# A copy on the CPU, beside the number of its epoch.

import torch


def fit(net, optimizer, loader, rate):
    net = net.cuda()
    best = (-1, None)
    score = 0.0
    for epoch in range(100):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x.cuda()), y.cuda()).backward()
            optimizer.step()
        if rate(net) > score:
            score = rate(net)
            best = (epoch, {k: v.cpu().clone() for k, v in net.state_dict().items()})
    net.load_state_dict(best[1])
    print(best[0])
