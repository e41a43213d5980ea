# the old name is the fallback of an import

import torch

try:
    from torch.nn.utils import clip_grad_norm_
except ImportError:
    from torch.nn.utils import clip_grad_norm as clip_grad_norm_
print(clip_grad_norm_, torch.__version__)
