# the losses of the last steps only: the list is cut in the step that adds to it

import torch


def train(net, loader, optimizer, every=100):
    recent, last = [], []
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        recent.append(loss)
        recent = recent[-every:]
        last.append(loss)
        last = last[-10:]
        if step % every == 0:
            print(sum(recent) / len(recent), sum(last) / len(last))
