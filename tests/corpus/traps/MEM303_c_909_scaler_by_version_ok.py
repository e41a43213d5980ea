"""The old scaler for old versions, the new one for others."""
import torch
from packaging import version

HOOKS = {}
if version.parse(torch.__version__) < version.parse("2.4.0"):
    HOOKS[torch.cuda.amp.grad_scaler.GradScaler] = torch.save
else:
    HOOKS[torch.amp.grad_scaler.GradScaler] = torch.save


def scaler(enabled):
    if version.parse(torch.__version__) < version.parse("2.4.0"):
        return torch.cuda.amp.GradScaler(enabled=enabled)
    return torch.GradScaler(enabled=enabled)
