# anomaly detection at the top of a script

import torch

torch.autograd.set_detect_anomaly(True)  #! MEM125
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(100, 4, 8):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
