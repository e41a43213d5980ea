import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

stats = {}


def print_stats(name):
    def fn(mod, inp, out):
        stats[name] = out.detach().std().item()
    return fn


net = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 1))
opt = optim.Adam(net.parameters())
dl = DataLoader(TensorDataset(torch.randn(200, 10), torch.randn(200, 1)), batch_size=20)
for epoch in range(30):
    net[0].register_forward_hook(print_stats("fc1"))  #! MEM110
    net[2].register_forward_hook(print_stats("fc2"))  #! MEM110
    for xb, yb in dl:
        loss = nn.functional.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, stats)
