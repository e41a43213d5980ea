# guarded by hasattr, so the missing name is never reached

import torch


def backward(loss, optimizer):
    if hasattr(torch.cuda.amp, "scale_loss"):
        with torch.cuda.amp.scale_loss(loss, optimizer) as scaled:
            scaled.backward()
    else:
        loss.backward()
