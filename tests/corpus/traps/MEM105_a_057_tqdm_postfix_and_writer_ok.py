import torch
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm
import wandb


def train(model, loader, opt, crit, epochs):
    writer = SummaryWriter()
    step = 0
    for epoch in range(epochs):
        bar = tqdm(loader)
        for x, y in bar:
            loss = crit(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            bar.set_postfix(loss=loss)
            writer.add_scalar("loss", loss, step)
            wandb.log({"loss": loss, "epoch": epoch})
            last = {"loss": loss}
            step += 1
        print(epoch, last["loss"].item())
    writer.close()
