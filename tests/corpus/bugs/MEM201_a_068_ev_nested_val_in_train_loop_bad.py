import torch
from torch.utils.tensorboard import SummaryWriter


def train(model, optimizer, criterion, train_loader, val_loader, num_epochs, eval_every=500):
    writer = SummaryWriter()
    it = 0
    for epoch in range(num_epochs):
        for src, tgt in train_loader:
            model.train()
            optimizer.zero_grad()
            loss = criterion(model(src.cuda()), tgt.cuda())
            loss.backward()
            optimizer.step()
            writer.add_scalar("train/loss", loss, it)
            it += 1
            if it % eval_every == 0:
                model.eval()
                val_loss = 0
                for vsrc, vtgt in val_loader:
                    vout = model(vsrc.cuda())  #! MEM201
                    val_loss += criterion(vout, vtgt.cuda()).item()
                writer.add_scalar("val/loss", val_loss / len(val_loader), it)
                if val_loss / len(val_loader) < 0.01:
                    return
