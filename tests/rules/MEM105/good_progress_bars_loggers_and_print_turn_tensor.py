# progress bars, loggers and print turn the tensor into text

import logging

import torch
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

logger = logging.getLogger(__name__)
writer = SummaryWriter()
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters())


def loop(loader):
    pbar = tqdm(loader)
    for step, x in enumerate(pbar):
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        pbar.set_postfix(loss=loss)
        logger.info("loss %s", loss)
        writer.add_scalar("loss", loss, step)
        print(loss)
