# the region spans all epochs, and its header goes over two lines: moving it would tear the indentation

import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast  #? MEM903


def run(model, loader, epochs, lr):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scaler = GradScaler()  #? MEM903
    for epoch in range(epochs):
        with autocast(  #! MEM302  #? MEM903
):
            for images, labels in loader:
                optimizer.zero_grad()
                loss = criterion(model(images.cuda()), labels.cuda())
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()


net = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10)).cuda()
run(net, [(torch.randn(8, 1, 28, 28), torch.randint(0, 10, (8,)))] * 10, 3, 1e-3)
