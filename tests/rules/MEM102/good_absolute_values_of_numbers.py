"""`abs()` of numbers, of detached errors and of indices keeps no graph."""

import torch


def learn(net, optimizer, batches):
    priorities, gaps, places = [], [], []
    for states, actions, rewards in batches:
        error = net(states.cuda()).gather(1, actions.cuda()) - rewards.cuda()
        loss = error.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        priorities.append(abs(error.detach().cpu().numpy()) + 1e-5)
        gaps.append(abs(loss.item()))
        places.append(abs(error.argmax()).item())
    return priorities, gaps, places
