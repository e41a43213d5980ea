# autocast with its device, by position, keyword or variable

import torch
from torch.amp import autocast

device = torch.device("cpu")
with torch.autocast("cpu", dtype=torch.bfloat16):
    pass
with autocast(device_type=device.type, enabled=False):
    pass
options = {"device_type": "cpu"}
with torch.amp.autocast(**options):
    pass
args = ("cpu",)
with torch.amp.autocast(*args):
    pass
