# claim: PEAK, expected: refuted (training needs more than the evaluation, whatever it records)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(net, loader, device):
    net.eval()
    right = 0
    for x, y in loader:
        out = net(x.to(device))
        right += (out.argmax(1) == y.to(device)).sum().item()
    return right


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
data = TensorDataset(torch.randn(1600, 64), torch.randint(0, 10, (1600,)))
train, val = DataLoader(data, batch_size=64), DataLoader(data, batch_size=8)
body = nn.Sequential(nn.Linear(64, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU())
net = nn.Sequential(body, nn.Linear(512, 10)).to(device)
optimizer = torch.optim.Adam(net.parameters())
for _ in range(2):
    net.train()
    for x, y in train:
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    optimizer.zero_grad()
    print(validate(net, val, device))
