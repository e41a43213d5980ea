import torch
from torch import nn
from torch.amp import GradScaler, autocast


def train(model: nn.Module, loader, accumulate: int, epochs: int):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.937, nesterov=True)
    scaler = GradScaler("cuda")
    mse = nn.MSELoss()
    for epoch in range(epochs):
        optimizer.zero_grad()
        for i, (imgs, targets) in enumerate(loader):
            with autocast("cuda"):
                loss = mse(model(imgs.cuda()), targets.cuda()) / accumulate
            scaler.scale(loss).backward()
            if (i + 1) % accumulate == 0:
                scaler.step(optimizer)
                optimizer.zero_grad()
            scaler.update()  #! MEM303
