import gc

import torch

model = torch.nn.Linear(32, 32)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fits(size):
    try:
        model(torch.randn(size, 32)).sum().backward()
        return True
    except RuntimeError as exc:
        if "out of memory" in str(exc):
            gc.collect()
            torch.cuda.empty_cache()
            return False
        raise


def largest():
    size = 4096
    while not fits(size):
        size //= 2
    return size


skipped = []
for number, x in enumerate(torch.randn(20, 8, 32)):
    loss = None
    try:
        loss = model(x).pow(2).mean()
        loss.backward()
    except torch.cuda.OutOfMemoryError as exc:
        skipped.append((number, str(exc)))
        optimizer.zero_grad()
        continue
    finally:
        del loss
    optimizer.step()
    optimizer.zero_grad()
print(largest(), skipped)
