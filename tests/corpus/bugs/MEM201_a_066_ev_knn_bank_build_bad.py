import torch
import torch.nn as nn
import torch.nn.functional as F
from tqdm import tqdm


def knn_monitor(net, memory_data_loader, test_data_loader, k=200, t=0.1):
    net.eval()
    classes = len(memory_data_loader.dataset.classes)
    total_top1, total_num, feature_bank = 0.0, 0, []
    for data, target in tqdm(memory_data_loader, desc='Feature extracting', leave=False):
        feature = net(data.cuda(non_blocking=True))  #! MEM201
        feature = F.normalize(feature, dim=1)
        feature_bank.append(feature)  #! MEM102
    feature_bank = torch.cat(feature_bank, dim=0).t().contiguous()
    feature_labels = torch.tensor(memory_data_loader.dataset.targets, device=feature_bank.device)
    with torch.no_grad():
        for data, target in test_data_loader:
            data, target = data.cuda(non_blocking=True), target.cuda(non_blocking=True)
            feature = F.normalize(net(data), dim=1)
            sim = torch.mm(feature, feature_bank)
            weight, indices = sim.topk(k=k, dim=-1)
            votes = feature_labels[indices]
            pred = votes.mode(dim=-1).values
            total_num += data.size(0)
            total_top1 += (pred == target).float().sum().item()
    return total_top1 / total_num * 100
