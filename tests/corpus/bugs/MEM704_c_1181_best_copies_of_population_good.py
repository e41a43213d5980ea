import copy

import torch


def train_model(model, dataloaders, criterion, optimizer, num_epochs=25):
    best_model_wts = copy.deepcopy(model.state_dict())
    best_acc = 0.0
    for epoch in range(num_epochs):
        model.train()
        for inputs, labels in dataloaders["train"]:
            optimizer.zero_grad()
            criterion(model(inputs), labels).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in dataloaders["val"])
        if acc > best_acc:
            best_acc = acc
            best_model_wts = {k: v.cpu().clone() for k, v in model.state_dict().items()}
            torch.save(model.state_dict(), "best.pt")
    model.load_state_dict(best_model_wts)
    return model


def snapshot_ensemble(model, loader, epochs):
    paths = []
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            opt.step()
        torch.save(model.state_dict(), f"snap{epoch}.pt")
        paths.append(f"snap{epoch}.pt")
    return paths
