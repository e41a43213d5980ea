# between the import of torch and its first use

import os
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
import torch
from torch import nn

net = nn.Conv2d(3, 8, 3).cuda()
