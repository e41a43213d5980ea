# wandb receives the loss and keeps a number

import torch
import wandb

wandb.init(project="demo")
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters())


def main(loader):
    for x in loader:
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        wandb.log({"loss": loss})
