import torch
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm
import wandb


def train(model, loader, opt, epochs):
    writer = SummaryWriter()
    gs = 0
    for ep in range(epochs):
        pbar = tqdm(loader)
        for x, y in pbar:
            loss = (model(x) - y).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            pbar.set_postfix(loss=loss)
            writer.add_scalar("train/loss", loss, gs)
            wandb.log({"loss": loss, "step": gs})
            gs += 1
