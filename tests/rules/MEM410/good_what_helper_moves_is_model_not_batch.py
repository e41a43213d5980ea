# what a helper moves is the model, not the batch

import torch
from torch.utils.data import DataLoader


def ready(model, device):
    return model.to(device)


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(100, 8), batch_size=10):
    opt.zero_grad()
    loss = net(x).mean()
    loss.backward()
    opt.step()
    ready(net, "cuda")
    ready(net, "cpu")
