# claim: GROWTH, expected: confirmed (131,072 B with every step, and 8,192 B with the fix)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 32)).to(device)
loader = DataLoader(TensorDataset(torch.randn(1600, 16, 8)), batch_size=64)
model.eval()
first = []
with torch.no_grad():
    for (x,) in loader:
        hidden = model(x.to(device))
        first.append(hidden[:, 0])
print(torch.cat(first).shape)
