"""Train a small digit classifier. It runs, but four things in it are wrong: ask memlint."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader(samples: int, batch_size: int, shuffle: bool) -> DataLoader:
    images = torch.randn(samples, 1, 28, 28)
    labels = torch.randint(0, 10, (samples,))
    return DataLoader(TensorDataset(images, labels), batch_size=batch_size, shuffle=shuffle)


def train_one_epoch(model, loader, criterion, optimizer, scaler, device):
    model.train()
    running_loss = 0.0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        with torch.cuda.amp.autocast():
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        running_loss += loss
    return running_loss / len(loader)


def evaluate(model, loader, device):
    model.eval()
    correct = 0
    for images, labels in loader:
        logits = model(images.to(device))
        correct += (logits.argmax(dim=1) == labels.to(device)).sum().item()
    return correct / len(loader.dataset)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(device.type)
    train_loader = make_loader(1024, args.batch_size, shuffle=True)
    test_loader = make_loader(256, args.batch_size, shuffle=False)

    for epoch in range(args.epochs):
        loss = train_one_epoch(model, train_loader, criterion, optimizer, scaler, device)
        accuracy = evaluate(model, test_loader, device)
        print(f"epoch {epoch}: loss {loss:.3f}, accuracy {accuracy:.1%}")


if __name__ == "__main__":
    main()
