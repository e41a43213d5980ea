# inference under autocast needs no scaler

import torch

net = torch.nn.Linear(6, 2).cuda().eval()
probe = torch.nn.Linear(2, 1).cuda()
opt = torch.optim.SGD(probe.parameters(), lr=0.1)
for x in torch.randn(10, 4, 6, device="cuda"):
    with torch.no_grad(), torch.autocast("cuda"):
        features = net(x)
    loss = probe(features.float()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
