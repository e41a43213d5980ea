"""Mixed precision with a GradScaler, attention, a running average of the weights, an evaluation."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda:0")


class Images(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        return torch.rand(3, 32, 32), index % 10


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 3, padding=1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(inplace=True),
            nn.Conv2d(64, 128, 3, stride=2, padding=1),
            nn.BatchNorm2d(128),
            nn.ReLU(inplace=True),
            nn.Dropout(0.1),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )
        self.attention = nn.MultiheadAttention(128, 4, batch_first=True)
        self.head = nn.Linear(128, 10)

    def forward(self, x):
        x = self.features(x).unsqueeze(1).expand(-1, 16, -1)
        x, _ = self.attention(x, x, x, need_weights=False)
        return self.head(x.mean(1))


torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.cuda.set_device(device)
net = Net().cuda()
average = {name: value.detach().clone() for name, value in net.state_dict().items()}
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
loader = DataLoader(Images(), batch_size=32, shuffle=True, pin_memory=True, drop_last=True)
for _ in range(2):
    net.train()
    total = correct = 0.0
    for x, y in loader:
        x = x.to(device, non_blocking=True, memory_format=torch.channels_last)
        y = y.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            output = net(x)
            loss = F.cross_entropy(output, y, label_smoothing=0.1)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        total += loss.item() * x.size(0)
        correct += (output.argmax(1) == y).sum().item()
        if torch.isnan(loss):
            raise SystemExit("not a number")
        for name, value in net.state_dict().items():
            if value.is_floating_point():
                average[name].mul_(0.99).add_(value.float(), alpha=0.01)
    net.eval()
    with torch.no_grad():
        for x, y in loader:
            chances = net(x.to(device)).softmax(1)
            array = chances.cpu().numpy()
            best = chances.topk(3).indices.tolist()
    print(f"{total / 96:.3f} {correct:.0f} {array.mean():.3f} {len(best)}")
