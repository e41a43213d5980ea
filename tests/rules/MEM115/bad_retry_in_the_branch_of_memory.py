# the branch for all other errors raises; the one for memory runs again

import torch


def forward(model, x):
    try:
        return model(x)
    except RuntimeError as e:
        if "out of memory" not in str(e):
            raise
        else:
            torch.cuda.empty_cache()
            return model(x[: len(x) // 2])  #! MEM115 error


def halves(model, x):
    try:
        return model(x)
    except RuntimeError as e:
        if not ("out of memory" not in str(e)):
            return [model(part) for part in x.chunk(2)]  #! MEM115 error
        raise
