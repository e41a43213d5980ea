# each trial of a search of the batch size, which running out of memory ends, hands back what it took

import torch


def largest(model, sample, sizes, device):
    model.train().to(device)
    best = 0
    for size in sizes:
        try:
            batch = sample.repeat(size, 1, 1, 1).to(device)
            model(batch).sum().backward()
            model.zero_grad()
            torch.cuda.empty_cache()
            best = size
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            break
    return best
