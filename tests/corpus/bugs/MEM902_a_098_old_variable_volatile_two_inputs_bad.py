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
        a = Variable(batch['a'].cuda(), volatile=True)  #! MEM902
        b = Variable(batch['b'].cuda(), volatile=True)  #! MEM902
        sim = netD(netE(a), netE(b))  #? MEM201
        hits += ((sim.data > threshold).long().cpu() == batch['y']).sum().item()
    return hits
