# weights handed from one network to another at once

import torch


def sync(online, target, steps, optimizer, batch):
    for step in range(steps):
        optimizer.zero_grad()
        online(batch).mean().backward()
        optimizer.step()
        if step >= 100:
            weights = online.state_dict()
            target.load_state_dict(online.state_dict())
            print(len(weights))
