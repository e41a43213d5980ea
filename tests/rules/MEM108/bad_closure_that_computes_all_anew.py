# each run of the closure computes its loss from the batch again: no run needs the graph of the one before

import torch
import torch.nn.functional as F


def train(net, batches):
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5)
    for x, y in batches:

        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward(retain_graph=True)  #! MEM108
            return loss

        optimizer.step(closure)
