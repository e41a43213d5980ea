# a version number decides

import torch
from packaging import version

if version.parse(torch.__version__) >= version.parse("2.4"):
    from torch.amp import autocast
else:
    from torch.cuda.amp import autocast
print(autocast)
