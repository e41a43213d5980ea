# validation inside the training script, flat

import torch
from torch import nn

model = nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Linear(256, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())
train_loader = [(torch.randn(8, 20), torch.randint(0, 3, (8,))) for _ in range(20)]
val_loader = [(torch.randn(8, 20), torch.randint(0, 3, (8,))) for _ in range(5)]

for epoch in range(3):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

    model.eval()
    val_loss, correct = 0.0, 0
    for x, y in val_loader:
        out = model(x)  #! MEM201 error
        val_loss += criterion(out, y).item()
        correct += (out.argmax(1) == y).sum().item()
    print(epoch, val_loss / len(val_loader), correct)
