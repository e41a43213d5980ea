# the loaded tensors are the training data

import torch

net = torch.nn.Linear(4, 4)
net.load_state_dict(torch.load("x.pt"))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.load("data.pt")
for x in data["train"]:
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
print(len(data["train"]))
