from __future__ import print_function, division
import time

import torch
from torch import nn
from tqdm import tqdm


def fit(net, loaders, optimizer, scheduler, num_epochs, device):
    criterion = nn.L1Loss()
    since = time.time()
    for epoch in range(num_epochs):
        running_loss = 0.0
        seen = 0
        net.train()
        pbar = tqdm(loaders["train"], desc=f"epoch {epoch}")
        for sample in pbar:
            image = sample["image"].to(device)
            depth = sample["depth"].to(device)

            optimizer.zero_grad()
            pred = net(image)
            mask = depth > 0
            loss = criterion(pred[mask], depth[mask])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()

            running_loss += loss.item() * image.size(0)
            seen += image.size(0)
            pbar.set_postfix(loss=float(running_loss / seen))
        scheduler.step()
    print('done in {:.0f}s'.format(time.time() - since))
    return net
