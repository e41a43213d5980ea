# claim: GROWTH, expected: confirmed (131,072 B stay with every batch, in the list that the hook appends to)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 4)).to(device)
features = []
model[1].register_forward_hook(lambda module, args, output: features.append(output))
model.eval()
right = 0
with torch.no_grad():
    for (x,) in DataLoader(TensorDataset(torch.randn(3200, 64)), batch_size=128):
        right += model(x.to(device)).argmax(1).sum().item()
print(right, len(features))
