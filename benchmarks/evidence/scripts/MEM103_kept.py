# claim: GROWTH, expected: confirmed (on the CPU its fix moves nothing: by attribution)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(64, 256).to(device)
loader = DataLoader(TensorDataset(torch.randn(3200, 64)), batch_size=128)
model.eval()
kept = []
with torch.no_grad():
    for (x,) in loader:
        kept.append(model(x.to(device)))
print(torch.cat(kept).shape)
