# Without gradients the copy is gone with the loss, and the perplexity is worth it.

import torch
import torch.nn.functional as F


@torch.no_grad()
def perplexity(model, loader, vocab_size):
    total = 0.0
    for ids in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(ids[:, :-1])
        total += F.cross_entropy(logits.float().view(-1, vocab_size), ids[:, 1:].reshape(-1)).item()
    return total / len(loader)
