"""Halve the batch until it fits, by recursion inside of the handler."""
import torch


def predict(model, images, bs):
    outs = []
    try:
        with torch.no_grad():
            for i in range(0, len(images), bs):
                outs.append(model(images[i:i + bs].cuda()).cpu())
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        return predict(model, images, bs // 2)  #! MEM115
    return torch.cat(outs)
