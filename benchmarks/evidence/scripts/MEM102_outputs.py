# claim: GROWTH, expected: confirmed (every batch's graph, beside its output)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(64, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
loader = DataLoader(TensorDataset(torch.randn(3200, 64)), batch_size=128)
net.eval()
outputs = []
for (x,) in loader:
    out = net(x.to(device))
    outputs.append(out)
print(sum(out.argmax(1).float().mean().item() for out in outputs))
