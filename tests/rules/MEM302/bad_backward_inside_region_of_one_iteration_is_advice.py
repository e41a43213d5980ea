# backward inside the region of one iteration is advice

import torch

net = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 2, 4, device="cuda"):
    opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = net(x).mean()
        loss.backward()  #! MEM302 advice
    opt.step()
