# cached memory printed in a flat script

import torch

net = torch.nn.Linear(256, 256).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(50):
    opt.zero_grad()
    net(torch.randn(32, 256, device="cuda")).mean().backward()
    opt.step()
print(torch.cuda.memory_cached() / 2**20)  #! MEM904
print(torch.cuda.max_memory_cached(0) / 2**20)  #! MEM904
