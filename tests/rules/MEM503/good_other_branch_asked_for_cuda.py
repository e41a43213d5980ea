# the other branch asked for CUDA

import os
import sys

import torch

if len(sys.argv) > 1:
    os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
else:
    print(torch.cuda.is_available())
model = torch.nn.Linear(1, 1).cuda()
