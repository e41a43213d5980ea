# a physics-informed network differentiates by its input

import torch

net = torch.nn.Sequential(torch.nn.Linear(1, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1))
opt = torch.optim.Adam(net.parameters())
loader = torch.utils.data.DataLoader(torch.rand(64, 1), batch_size=16)
for x in loader:
    x.requires_grad_(True)
    u = net(x)
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    loss = (du - u).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
