# One autocast region for the whole training function.
import torch
from torch import nn


def train(model, optimizer, scaler, loader):
    model.train()
    with torch.autocast(device_type="cuda", dtype=torch.float16):  #! MEM302
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()


def main():
    model = nn.Sequential(nn.Linear(100, 1000), nn.ReLU(), nn.Linear(1000, 10)).cuda()
    optimizer, scaler = torch.optim.Adam(model.parameters()), torch.amp.GradScaler("cuda")
    for epoch in range(5):
        train(model, optimizer, scaler, [(torch.randn(64, 100), torch.randint(10, (64,))) for _ in range(100)])


main()
