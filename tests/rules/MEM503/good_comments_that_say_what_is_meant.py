# comments that say what is meant

import os

# hide all GPUs except 2
os.environ["CUDA_VISIBLE_DEVICES"] = "2"  # use the third GPU only
import torch

print(torch.cuda.device_count())
