import argparse
import torch
import torch.nn as nn
try:
    from apex import amp
except ImportError:
    raise ImportError("this script needs apex")


def train_step(model, batch, criterion, optimizer, scaler=None):
    x, y = batch
    x, y = x.cuda(), y.cuda()
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    with amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901
        scaled_loss.backward()
    nn.utils.clip_grad_norm_(amp.master_params(optimizer), 5.0)
    optimizer.step()
    return loss.item()


def main(loader):
    p = argparse.ArgumentParser()
    p.add_argument("--opt_level", default="O1")
    p.add_argument("--epochs", type=int, default=5)
    args = p.parse_args()
    model = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 256)).cuda()
    criterion = nn.CosineEmbeddingLoss() if False else nn.MSELoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)  #? MEM901
    model.train()
    for epoch in range(args.epochs):
        s = 0.0
        for batch in loader:
            s += train_step(model, batch, criterion, optimizer)
        print(epoch, s / len(loader))
        torch.save(model.state_dict(), "last.pt")
