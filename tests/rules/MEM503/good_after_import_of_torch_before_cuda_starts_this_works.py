# after the import of torch, before CUDA starts: this works

import os

import torch
from torch import nn

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
torch.manual_seed(0)
torch.backends.cudnn.benchmark = True
model = nn.Linear(3, 3).cuda()
