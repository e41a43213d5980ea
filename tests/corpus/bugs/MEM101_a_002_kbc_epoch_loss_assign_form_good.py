import logging
import math
from collections import defaultdict

import numpy as np
import torch
import torch.nn.functional as F


class TransE(torch.nn.Module):
    def __init__(self, nentity, nrelation, dim, gamma):
        super(TransE, self).__init__()
        self.entity = torch.nn.Embedding(nentity, dim)
        self.relation = torch.nn.Embedding(nrelation, dim)
        self.gamma = gamma

    def forward(self, sample):
        h, r, t = sample[:, 0], sample[:, 1], sample[:, 2]
        return self.gamma - torch.norm(self.entity(h) + self.relation(r) - self.entity(t), p=1, dim=-1)


def train_epoch(model, optimizer, iterator, steps, device):
    model.train()
    epoch_loss = 0.0
    epoch_reg = 0.0
    for step in range(steps):
        positive, negative, weight = next(iterator)
        positive = positive.to(device)
        negative = negative.to(device)
        optimizer.zero_grad()
        positive_score = F.logsigmoid(model(positive))
        negative_score = F.logsigmoid(-model(negative))
        loss = -(weight * positive_score).sum() / weight.sum() - negative_score.mean()
        regularization = 1e-6 * (model.entity.weight.norm(p=3) ** 3 + model.relation.weight.norm(p=3) ** 3)
        (loss + regularization).backward()
        optimizer.step()
        epoch_loss = epoch_loss + loss.detach()
        epoch_reg = epoch_reg + regularization.detach()
    logging.info('average loss %f, reg %f', epoch_loss / steps, epoch_reg / steps)
    return epoch_loss / steps
