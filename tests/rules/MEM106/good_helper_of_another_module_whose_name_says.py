# a helper of another module, whose name says that it detaches

import torch
from corpus_tools import repackage_hidden


def train_epoch(model, optimizer, batches):
    hidden = model.init_hidden(20)
    for data, targets in batches:
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = torch.nn.functional.cross_entropy(output, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
