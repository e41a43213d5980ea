import torch

from moe.layers import Net
from moe.reg import collect

net = Net()
opt = torch.optim.AdamW(net.parameters())
for x, y in torch.utils.data.DataLoader(torch.load("xy.pt"), 64):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean() + 0.01 * collect(net)
    loss.backward()
    opt.step()
