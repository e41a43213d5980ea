import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128,roundup_power2_divisions:[256:1,512:2,1024:4,>:8]"
os.environ["PYTORCH_ALLOC_CONF"] = "backend:cudaMallocAsync"
os.environ.setdefault("PYTORCH_NO_CUDA_MEMORY_CACHING", "1")
child = {**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "pinned_use_background_threads:True"}

import subprocess

import torch

print(torch.cuda.is_available())
subprocess.run(["python", "train.py"], env=child)
