# tensors on the GPU, with workers that should hand them out

import torch
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(1000, 8).to("cuda")
y = torch.randn(1000, 1).to("cuda")
loader = DataLoader(TensorDataset(x, y), batch_size=50, shuffle=True, num_workers=2)  #! MEM407 error
net = torch.nn.Linear(8, 1).to("cuda")
opt = torch.optim.AdamW(net.parameters())
for a, b in loader:
    opt.zero_grad()
    (net(a) - b).square().mean().backward()
    opt.step()
