# accelerate accumulates

import torch
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel

accelerator = Accelerator(gradient_accumulation_steps=4)
net, opt = accelerator.prepare(torch.nn.Linear(3, 1), torch.optim.SGD([torch.zeros(1)], lr=0.1))
print(isinstance(net, DistributedDataParallel))
for x in torch.randn(32, 2, 3):
    with accelerator.accumulate(net):
        accelerator.backward(net(x.cuda()).mean())
        opt.step()
        opt.zero_grad()
