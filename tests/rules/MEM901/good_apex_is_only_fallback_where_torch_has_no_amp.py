# Apex is only the fallback where torch has no amp

import torch

try:
    from torch.cuda.amp import GradScaler, autocast
    native = True
except ImportError:
    from apex import amp
    native = False


def backward(loss, optimizer, scaler):
    if native:
        scaler.scale(loss).backward()
    else:
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
