# a captured CUDA graph writes into fixed buffers

import torch

net = torch.nn.Linear(6, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(3, 6, device="cuda")
graph = torch.cuda.CUDAGraph()
opt.zero_grad(set_to_none=False)
with torch.cuda.graph(graph):
    net(x).sum().backward()
    opt.step()
for _ in range(5):
    graph.replay()
