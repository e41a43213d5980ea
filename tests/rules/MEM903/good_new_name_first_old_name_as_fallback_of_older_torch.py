# new name first, old name as the fallback of an older torch

import torch

try:
    from torch.amp import GradScaler, autocast
except ImportError:
    from torch.cuda.amp import GradScaler, autocast
print(GradScaler, autocast)
