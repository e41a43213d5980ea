import torch
from compat import amp_autocast, GradScaler, checkpoint, clip

net = torch.nn.Linear(3, 3).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
s = GradScaler()
for x in torch.randn(10, 4, 3):
    opt.zero_grad()
    with amp_autocast():
        loss = checkpoint(net, x.cuda()).mean()
    s.scale(loss).backward()
    s.unscale_(opt)
    clip(net.parameters(), 1.0)
    s.step(opt)
    s.update()
