# A perplexity adds one number to the graph of a loss that backward() has freed: a warning, not an error.

import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    history = {"perplexity": [], "per_token": []}
    for tokens, targets in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(tokens), targets)
        loss.backward()
        optimizer.step()
        history["perplexity"].append(torch.exp(loss))  #! MEM102 warning
        history["per_token"].append((loss / tokens.shape[1]).exp())  #! MEM102 warning
    return history
