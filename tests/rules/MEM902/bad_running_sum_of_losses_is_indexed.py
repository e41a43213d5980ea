# a running sum of losses has no dimensions either

import time

from torch import nn


def train(model, criterion, batches, optimizer, log_interval):
    total_loss = 0
    for number, (data, targets) in enumerate(batches):
        optimizer.zero_grad()
        loss = criterion(model(data), targets)
        loss.backward()
        optimizer.step()
        total_loss += loss.data
        if number % log_interval == 0:
            print(time.time(), total_loss[0] / log_interval)  #! MEM902 error
            total_loss = 0


def evaluate(model, batches):
    criterion = nn.CrossEntropyLoss()
    total = 0
    for data, targets in batches:
        total += len(data) * criterion(model(data), targets).data
    return total[0] / len(batches)  #! MEM902 error
