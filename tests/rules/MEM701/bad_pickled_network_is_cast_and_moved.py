# a network that was saved whole is cast before it is moved

import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
net = torch.load("net.pt")  #! MEM701 warning
net = net.float().to(device)
optimizer = torch.optim.Adam(net.parameters())
for x in loader:
    optimizer.zero_grad()
    net(x.to(device)).mean().backward()
    optimizer.step()
