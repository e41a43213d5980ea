import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from lib.ema import EMA
from lib.losses import all_losses

net = nn.Sequential(nn.Flatten(), nn.Linear(3072, 512), nn.ReLU(), nn.Linear(512, 100)).cuda()
ema = EMA(net, 0.999)
opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, nesterov=True)
loader = DataLoader(torch.load("cifar100.pt"), 256, shuffle=True)
log = {"focal": [], "ce": []}
for epoch in range(100):
    for x, y in loader:
        parts = all_losses(net(x.cuda()), y.cuda())
        opt.zero_grad()  #? MEM122
        parts["focal"].backward()
        opt.step()
        ema.update(net)  #= MEM107
        for k, v in parts.items():
            log[k].append(v.item())
