# nothing records: all parameters are frozen and the inputs need no gradient

import torch

net = torch.nn.Linear(4, 2)
net.requires_grad_(False)
net.eval()
for x in torch.randn(5, 2, 4):
    print(net(x).argmax(1))

frozen = torch.nn.Linear(4, 2).eval()
for p in frozen.parameters():
    p.requires_grad = False
for x in torch.randn(5, 2, 4):
    print(frozen(x).argmax(1))
