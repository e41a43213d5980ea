# this optimizer keeps float32 copies of the weights itself

import torch
from apex.contrib.optimizers.distributed_fused_adam import DistributedFusedAdam

net = torch.nn.Linear(3, 3).cuda().half()
opt = DistributedFusedAdam(net.parameters(), lr=0.1)
for x in torch.randn(10, 4, 3, device="cuda").half():
    net(x).sum().backward()
    opt.step()
    opt.zero_grad()
