import torch.nn as nn
import torch.nn.functional as F


class MultiBoxLoss(nn.Module):
    def forward(self, confidence, locations, labels, gt):
        pos = labels > 0
        cls = F.cross_entropy(confidence.transpose(1, 2), labels)
        reg = F.smooth_l1_loss(locations[pos], gt[pos], reduction="sum") / pos.sum().clamp(min=1)
        return reg, cls
