# rates and weights go round beside the batches; nothing of them is a batch

from itertools import cycle

import torch
import torch.nn.functional as F


def train(model, optimizer, batches, rates, weights, device):
    for x, rate, weight in zip(batches, cycle(rates), cycle(weights)):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = weight.to(device) * model(x.to(device)).pow(2).mean()
        loss.backward()
        optimizer.step()


def sample(model, conditions, n):
    with torch.no_grad():
        for _, condition in zip(range(n), cycle(conditions)):
            print(F.softmax(model(condition.cuda()), -1))
