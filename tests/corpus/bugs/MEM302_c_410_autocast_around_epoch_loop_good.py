import torch
from torch import nn, optim
from torch.cuda.amp import GradScaler, autocast  #? MEM903


def run(model, loader, epochs, lr):
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.AdamW(model.parameters(), lr=lr)
    scaler = GradScaler()  #? MEM903
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for images, labels in loader:
            optimizer.zero_grad()
            with autocast():  #? MEM903
                loss = criterion(model(images.cuda()), labels.cuda())
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            total += loss.item()
        print(epoch, total / len(loader))


if __name__ == "__main__":
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10)).cuda()
    run(net, [(torch.randn(8, 1, 28, 28), torch.randint(0, 10, (8,)))] * 10, 3, 1e-3)
