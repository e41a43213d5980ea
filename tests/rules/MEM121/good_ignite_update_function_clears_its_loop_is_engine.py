# ignite's update function clears; its loop is the engine's

import torch
from ignite.engine import Engine

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def update(engine, batch):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


Engine(update).run(torch.randn(10, 2, 4), max_epochs=2)
