# claim: CORRECT, expected: confirmed (the loop counts batches and trains on the first one)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(32, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(800, 32), torch.randint(0, 4, (800,))), batch_size=16)
data, target = next(iter(loader))
data, target = data.to(device), target.to(device)
for _ in range(len(loader)):
    optimizer.zero_grad()
    output = model(data)
    loss = nn.functional.cross_entropy(output, target)
    loss.backward()
    optimizer.step()
print(loss.item())
