# claim: RESERVED, expected: not_measurable (it is about CUDA's caching allocator)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(64, 1000).to(device)
loader = DataLoader(TensorDataset(torch.randn(3840, 64)), batch_size=64)
model.eval()
outputs = torch.empty(0, 1000, device=device)
with torch.no_grad():
    for (x,) in loader:
        outputs = torch.cat([outputs, model(x.to(device))])
print(outputs.shape)
