# a trial of each size, which may not fit

import torch


def fits(model, batch, size):
    try:
        images = torch.randn(batch, 3, size, size, device="cuda")
        model(images).sum().backward()
        return True
    except RuntimeError as error:
        if "out of memory" in str(error).lower():
            return False
        raise
    finally:
        torch.cuda.empty_cache()


def largest(model, batches):
    best = None
    for batch in batches:
        try:
            model(torch.randn(batch, 3, 224, 224).cuda()).sum().backward()
            best = batch
        except torch.cuda.OutOfMemoryError:
            break
        finally:
            torch.cuda.empty_cache()
    return best


def main(model, sizes, batches):
    for size in sizes:
        for batch in batches:
            if fits(model, batch, size):
                return batch, size
    return largest(model, batches)
