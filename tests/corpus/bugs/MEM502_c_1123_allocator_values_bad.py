"""Four ways to write the option wrongly, before torch is imported."""
import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size:128"  #! MEM502
os.environ["PYTORCH_ALLOC_CONF"] = "expandable_segment:True"  #! MEM502
os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb=128")  #! MEM502
os.environ.update({"PYTORCH_CUDA_ALLOC_CONF": "garbage_collection_threshold:80"})  #! MEM502

import torch

print(torch.cuda.is_available())
