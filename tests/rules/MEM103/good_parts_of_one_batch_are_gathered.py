# what an inner loop gathers are the parts of one batch

import torch


def train(model, optimizer, train_loader):
    for batch in train_loader:
        optimizer.zero_grad()
        kept = []
        with torch.no_grad():
            for view in batch["loaders"]:
                kept.append(model(view.cuda()))
        torch.nn.functional.mse_loss(model(batch["x"].cuda()), torch.stack(kept).mean(0)).backward()
        optimizer.step()
