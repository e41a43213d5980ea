# each trial of a search may run out of memory: what it leaves is given back before the next

import gc

import torch


def _is_oom_error(error):
    return isinstance(error, torch.cuda.OutOfMemoryError)


def fits(model, shape):
    inp = out = None
    try:
        inp = torch.empty(shape, device="cuda").normal_()
        with torch.no_grad():
            out = model(inp)
        torch.cuda.synchronize()
        return True
    except Exception as error:
        if _is_oom_error(error):
            return False
        raise
    finally:
        del inp, out
        gc.collect()
        torch.cuda.empty_cache()


def largest(model, shape):
    size = 1
    while fits(model, (size, *shape)):
        size *= 2
    return size // 2
