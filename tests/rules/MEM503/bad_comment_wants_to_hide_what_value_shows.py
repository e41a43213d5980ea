# the comment wants to hide what the value shows

import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "2"  # hide the third GPU #! MEM503 warning
print(torch.cuda.device_count())
