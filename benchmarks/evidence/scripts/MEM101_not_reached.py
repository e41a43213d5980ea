# claim: GROWTH, expected: confirmed (the activations of every evaluation step)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
loader = DataLoader(TensorDataset(torch.randn(3200, 64), torch.randint(0, 10, (3200,))), batch_size=128)
net.eval()
total = 0
for x, y in loader:
    loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
    total += loss
print(total / len(loader))
