# model.zero_grad() covers the optimizers of the model's parameters

import torch

net = torch.nn.ModuleDict({"enc": torch.nn.Linear(5, 4), "dec": torch.nn.Linear(4, 5)})
opt_enc = torch.optim.Adam(net["enc"].parameters())
opt_dec = torch.optim.Adam(net["dec"].parameters())
for i in range(10):
    net.zero_grad()
    x = torch.randn(3, 5)
    loss = (net["dec"](net["enc"](x)) - x).pow(2).mean()
    loss.backward()
    opt_enc.step()
    opt_dec.step()
