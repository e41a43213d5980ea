from functools import partial
import torch
from torch.nn.utils import clip_grad_norm_ as clip
from torch.utils.checkpoint import checkpoint as _checkpoint

checkpoint = partial(_checkpoint, use_reentrant=False)
try:
    from torch.amp import GradScaler
except ImportError:
    from torch.cuda.amp import GradScaler

if hasattr(torch, "autocast"):
    amp_autocast = partial(torch.autocast, "cuda")
else:
    amp_autocast = torch.cuda.amp.autocast
