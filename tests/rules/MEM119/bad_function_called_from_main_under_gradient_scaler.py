# function called from main, under a gradient scaler

import math

import torch


def train_one_epoch(model, criterion, loader, optimizer, scaler):
    for samples, targets in loader:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = model(samples)
            loss = criterion(outputs, targets)
        if not math.isfinite(loss.item()):  #! MEM119
            continue
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def main():
    model = torch.nn.Linear(4, 3)
    loader = [(torch.randn(2, 4), torch.randint(0, 3, (2,))) for _ in range(6)]
    optimizer = torch.optim.AdamW(model.parameters())
    train_one_epoch(model, torch.nn.CrossEntropyLoss(), loader, optimizer, torch.amp.GradScaler(enabled=False))


if __name__ == "__main__":
    main()
