import torch


def train(model, loader, optimizer, use_amp=True):
    scaler = torch.amp.GradScaler("cuda", enabled=use_amp)
    for data, label in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=use_amp):
            loss = torch.nn.functional.cross_entropy(model(data.cuda()), label.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
