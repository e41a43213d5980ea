import torch
from torch import nn


def train_one_epoch(model, criterion, optimizer, loader, device, scaler=None, clip=None):
    model.train()
    for image, target in loader:
        image, target = image.to(device), target.to(device)
        with torch.amp.autocast("cuda", enabled=scaler is not None):
            loss = criterion(model(image), target)
        optimizer.zero_grad()
        if scaler is not None:
            scaler.scale(loss).backward()
            if clip is not None:
                # gradients are unscaled first, so that the limit means what it says
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), clip)
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            if clip is not None:
                nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
        del loss


def main(amp=True):
    model = nn.Linear(10, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if amp else None
    data = [(torch.randn(4, 10), torch.randint(0, 2, (4,))) for _ in range(3)]
    train_one_epoch(model, nn.CrossEntropyLoss(), opt, data, "cuda", scaler, 1.0)


main()
