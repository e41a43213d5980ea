# the usage percentage printed as megabytes

import torch

used = torch.cuda.memory_usage() / 1024**2  #! MEM904
print(f"{torch.cuda.memory_usage(0)} MB in use, {used}")  #! MEM904
