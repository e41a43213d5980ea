# the name is bound before as well, but what is loaded behind the loop is the alias

import torch

net = torch.nn.Linear(8, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
weights = torch.load("start.pt", map_location="cpu")
net.load_state_dict(weights)
best = 1e9
for _ in range(500):
    loss = net(torch.randn(4, 8)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best = loss.item()
        weights = net.state_dict()  #! MEM704 error
net.load_state_dict(weights)
