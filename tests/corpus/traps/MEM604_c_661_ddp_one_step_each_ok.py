import torch
from torch.nn.parallel import DistributedDataParallel as DDP

net = DDP(torch.nn.Linear(3, 1).cuda(), gradient_as_bucket_view=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, 5)
for step, x in enumerate(torch.randn(100, 4, 3)):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()
    if step % 20 == 0:
        sched.step()
