# the names of today

import os

import torch
from torch.nn.utils import clip_grad_norm_

torch.cuda.reset_peak_memory_stats()
print(torch.cuda.memory_reserved(), torch.cuda.max_memory_reserved())
print(torch.cuda.max_memory_allocated(), clip_grad_norm_)
torch.set_autocast_dtype("cuda", torch.float16)
torch.set_default_dtype(torch.float32)
print(os.getpid())
