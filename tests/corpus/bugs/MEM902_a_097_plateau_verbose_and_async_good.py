import torch
from torch import nn, optim
from torch.optim import lr_scheduler


def fit(model, train_loader, evaluate, epochs):
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', factor=0.5, patience=3)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.huber_loss(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
        scheduler.step(evaluate(model))
