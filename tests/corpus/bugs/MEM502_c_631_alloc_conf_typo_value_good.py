from os import environ as env

env["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
env["TOKENIZERS_PARALLELISM"] = "false"

import torch

print(torch.zeros(4, device="cuda"))
