# accelerate scales by itself

import torch
from accelerate import Accelerator

accelerator = Accelerator(mixed_precision="fp16")
net = torch.nn.Linear(6, 2)
net, opt = accelerator.prepare(net, torch.optim.SGD(net.parameters(), lr=0.1))
for x in torch.randn(10, 4, 6):
    with accelerator.autocast():
        loss = net(x).mean()
    accelerator.backward(loss)
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
