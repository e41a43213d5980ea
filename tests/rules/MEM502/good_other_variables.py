# other variables

import os

import torch

torch.zeros(1).cuda()
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
os.environ["TORCH_NCCL_AVOID_RECORD_STREAMS"] = "1"
