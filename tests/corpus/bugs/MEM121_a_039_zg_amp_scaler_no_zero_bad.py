import torch
from torch import nn
from torch.amp import GradScaler, autocast
from tqdm import tqdm


def train_one_epoch(model, loader, criterion, optimizer, scaler, scheduler, device, epoch):
    model.train()
    running = 0.0
    bar = tqdm(enumerate(loader), total=len(loader))
    for step, (images, labels) in bar:
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        with autocast('cuda'):
            preds = model(images)
            loss = criterion(preds, labels)
        scaler.scale(loss).backward()  #! MEM121
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        running += loss.item()
        bar.set_description(f"epoch {epoch} loss {running / (step + 1):.4f}")
    return running / len(loader)


def run_training(model, train_loader, epochs=20, lr=1e-3, device='cuda'):
    scaler = GradScaler('cuda')
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, lr, epochs * len(train_loader))
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    for epoch in range(epochs):
        train_one_epoch(model, train_loader, criterion, optimizer, scaler, scheduler, device, epoch)
