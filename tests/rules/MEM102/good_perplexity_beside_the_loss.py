# a network gives the perplexity of its codes beside the loss, and numbers are kept

import torch


def train(model, batches, optimizer):
    perplexities = []
    for x in batches:
        optimizer.zero_grad()
        loss, perplexity = model(x.cuda())
        loss.backward()
        optimizer.step()
        perplexities.append(perplexity.detach().cpu().numpy())
    return perplexities


torch.manual_seed(0)
