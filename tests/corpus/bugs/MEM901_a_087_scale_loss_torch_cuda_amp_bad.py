import torch
import torch.nn as nn
from torch.cuda import amp


def train(model, dataloader, num_epochs, accumulation_steps=4):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for epoch in range(num_epochs):
        optimizer.zero_grad()
        for i, (inputs, targets) in enumerate(dataloader):
            inputs, targets = inputs.cuda(), targets.cuda()
            with amp.autocast():  #! MEM903
                loss = criterion(model(inputs), targets) / accumulation_steps
            amp.scale_loss(loss, optimizer).backward()  #! MEM901
            if (i + 1) % accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
