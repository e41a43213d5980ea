# what a prepared loader gives is on the device already

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader


def run(dataset, net, opt):
    accelerator = Accelerator()
    loader = DataLoader(dataset, batch_size=8)
    loader = accelerator.prepare(loader)
    for batch in loader:
        batch = batch.cuda()
        opt.zero_grad()
        accelerator.backward(net(batch).loss)
        opt.step()
