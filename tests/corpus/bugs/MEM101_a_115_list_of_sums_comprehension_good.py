import torch
from tqdm import tqdm


def train(model, loader, loss_func, optimizer, tasks, log_every=50):
    model.train()
    loss_sum = [0] * tasks
    count = 0
    for batch in tqdm(loader):
        preds = model(batch.graph)
        targets = batch.targets.to(preds[0].device)
        per_task = []
        for t in range(tasks):
            per_task.append(loss_func(preds[t], targets[:, t]))
        optimizer.zero_grad()
        sum(per_task).backward()
        optimizer.step()
        loss_sum = [a + b.item() for a, b in zip(loss_sum, per_task)]
        count += 1
        if count % log_every == 0:
            print([float(s) / log_every for s in loss_sum])
            loss_sum = [0] * tasks
