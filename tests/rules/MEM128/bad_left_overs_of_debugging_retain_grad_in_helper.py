# left-overs of debugging: retain_grad in a helper, requires_grad_ on the batch

import torch

body = torch.nn.Linear(10, 6)
head = torch.nn.Linear(6, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
loader = torch.utils.data.DataLoader(torch.randn(40, 10), batch_size=8)


def loss_of(x):
    feat = body(x)
    feat.retain_grad()  #! MEM128 warning
    return head(feat).pow(2).mean()


for x in loader:
    x.requires_grad_()  #! MEM128 warning
    opt.zero_grad()
    loss_of(x).backward()
    opt.step()
