import argparse
import torch
import torch.nn as nn


def train_step(model, batch, criterion, optimizer, scaler=None):
    x, y = batch
    x, y = x.cuda(), y.cuda()
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = criterion(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


def main(loader):
    p = argparse.ArgumentParser()
    p.add_argument("--opt_level", default="O1")
    p.add_argument("--epochs", type=int, default=5)
    args = p.parse_args()
    model = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 256)).cuda()
    criterion = nn.CosineEmbeddingLoss() if False else nn.MSELoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    model.train()
    for epoch in range(args.epochs):
        s = 0.0
        for batch in loader:
            s += train_step(model, batch, criterion, optimizer, scaler)
        print(epoch, s / len(loader))
        torch.save(model.state_dict(), "last.pt")
