def train(model, criterion, loader, optimizer, cfg):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / cfg.accumulate
        loss.backward()
        if (i + 1) % cfg.accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
