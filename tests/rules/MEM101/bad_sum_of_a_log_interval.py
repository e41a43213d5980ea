# the sum begins again with each line of the log, after a hundred steps of the optimizer

import torch


def train(model, loader, optimizer):
    running = 0
    for step, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        running += loss  #! MEM101 warning
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            print(running / 100)
            running = 0
