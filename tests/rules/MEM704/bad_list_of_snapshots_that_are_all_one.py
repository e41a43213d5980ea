# list of snapshots that are all one

import torch

net = torch.nn.Linear(6, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
snapshots = []
for epoch in range(10):
    for _ in range(20):
        opt.zero_grad()
        net(torch.randn(8, 6)).pow(2).mean().backward()
        opt.step()
    snapshots.append(net.state_dict())  #! MEM704 error
print((snapshots[0]["weight"] - snapshots[-1]["weight"]).abs().max())
net.load_state_dict(snapshots[3])
