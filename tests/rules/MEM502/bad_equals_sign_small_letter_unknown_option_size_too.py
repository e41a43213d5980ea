# an equals sign, a small letter, an unknown option, a size too small

import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments=True"  #! MEM502 error
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:true"  #! MEM502
os.environ["PYTORCH_ALLOC_CONF"] = "max_split_mb:128"  #! MEM502
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:8"  #! MEM502
os.environ.update(PYTORCH_CUDA_ALLOC_CONF="garbage_collection_threshold:80")  #! MEM502

import torch

print(torch.zeros(1).cuda())
