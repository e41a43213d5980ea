# set_grad_enabled works as a plain statement

import torch
from torch import autograd

torch.set_grad_enabled(False)
autograd.set_grad_enabled(True)
torch.autograd.set_detect_anomaly(True)
with torch.enable_grad():
    torch.ones(1, requires_grad=True).sum().backward()
