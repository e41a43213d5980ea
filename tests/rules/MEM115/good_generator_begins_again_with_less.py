# a generator that is made in the handler runs after it

import torch


def train(model, texts, optimizer, budget):
    def batch_stream(size):
        for at in range(0, len(texts), size):
            yield texts[at : at + size]

    batches = batch_stream(budget)
    while True:
        try:
            x = next(batches, None)
            if x is None:
                batches = batch_stream(budget)
                break
            loss = model(x).mean()
            loss.backward()
        except torch.cuda.OutOfMemoryError:
            optimizer.zero_grad(set_to_none=True)
            torch.cuda.empty_cache()
            budget = budget // 2
            batches = batch_stream(budget)
            continue
        optimizer.step()
        optimizer.zero_grad()
