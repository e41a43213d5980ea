# other members of torch.cuda.amp and torch.amp are not deprecated names of this table

import torch
from torch.amp import custom_bwd, custom_fwd

fwd = custom_fwd(device_type="cuda")
bwd = custom_bwd(device_type="cuda")
print(fwd, bwd, torch.amp.is_autocast_available("cuda"), torch.is_autocast_enabled())
