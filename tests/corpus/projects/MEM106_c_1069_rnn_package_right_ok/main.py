import torch
import torch.nn as nn

from awd.model import RNNModel
from awd.util import get_batch, repackage_hidden

corpus = torch.randint(0, 1000, (5000, 20)).cuda()
model = RNNModel().cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), 20.0)


def evaluate(source):
    model.eval()
    total, hidden = 0.0, model.init_hidden(20)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, 35):
            data, targets = get_batch(source, i)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output, targets)
            hidden = repackage_hidden(hidden)
    return total.item() / len(source)


def train():
    model.train()
    total = 0
    hidden = model.init_hidden(20)
    for batch, i in enumerate(range(0, corpus.size(0) - 1, 35)):
        data, targets = get_batch(corpus, i)
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden = model(data, hidden)
        raw = criterion(output, targets)
        raw.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total += raw.data
        if batch % 200 == 0:
            print(total.item() / 200)
            total = 0


for epoch in range(10):
    train()
    print(evaluate(corpus[:500]))
