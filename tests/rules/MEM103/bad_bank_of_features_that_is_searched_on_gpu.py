# bank of features that is searched on the GPU

import torch
import torch.nn.functional as F


@torch.no_grad()
def knn_accuracy(net, memory_loader, test_loader):
    bank, bank_labels = [], []
    for x, y in memory_loader:
        bank.append(F.normalize(net(x.cuda()), dim=1))  #! MEM103 advice
        bank_labels.append(y)
    bank = torch.cat(bank).t()
    bank_labels = torch.cat(bank_labels).cuda()
    hits = 0
    for x, y in test_loader:
        similarity = F.normalize(net(x.cuda()), dim=1) @ bank
        hits += (bank_labels[similarity.argmax(1)].cpu() == y).sum().item()
    return hits
