import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast


def train(model, dataloader, num_epochs, accumulation_steps=4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    criterion = nn.CrossEntropyLoss()
    scaler = GradScaler("cuda")
    model.train()
    for epoch in range(num_epochs):
        optimizer.zero_grad()
        for i, (inputs, targets) in enumerate(dataloader):
            inputs, targets = inputs.cuda(), targets.cuda()
            with autocast("cuda"):
                loss = criterion(model(inputs), targets) / accumulation_steps
            scaler.scale(loss).backward()
            if (i + 1) % accumulation_steps == 0:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
