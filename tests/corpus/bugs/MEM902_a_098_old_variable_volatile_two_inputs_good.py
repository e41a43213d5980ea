from __future__ import print_function
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader


def predict(netD, netE, pairs, threshold=0.5):
    netD.eval()
    netE.eval()
    hits = 0
    for batch in DataLoader(pairs, batch_size=64, num_workers=4):
        a, b = batch['a'].cuda(), batch['b'].cuda()
        with torch.no_grad():
            sim = netD(netE(a), netE(b))
        hits += ((sim.data > threshold).long().cpu() == batch['y']).sum().item()
    return hits
