# a framework moves the batches

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader

accelerator = Accelerator()
print(torch.cuda.get_device_name())
net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt, loader = accelerator.prepare(net, opt, DataLoader(torch.randn(100, 8), batch_size=10))
for x in loader:
    opt.zero_grad()
    accelerator.backward(net(x).mean())
    opt.step()
