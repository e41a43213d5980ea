# above the first import that loads torch

import os
import sys

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True,garbage_collection_threshold:0.6"
os.environ.setdefault("PYTORCH_ALLOC_CONF", "max_split_size_mb: 256")

import torch
from transformers import AutoModel

print(torch.zeros(1).cuda(), AutoModel, sys.argv)
