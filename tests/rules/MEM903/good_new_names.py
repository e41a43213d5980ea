# the new names

import torch
from torch.amp import GradScaler, autocast

scaler = GradScaler("cuda")
with autocast("cuda", dtype=torch.float16), torch.autocast("cpu"):
    pass
with torch.amp.autocast(device_type="cuda"):
    pass
