# a helper that is named for a saving

import torch


def optimize_gpu_memory(share=0.8):
    torch.cuda.set_per_process_memory_fraction(share)  #! MEM504 warning


optimize_gpu_memory()
net = torch.nn.Linear(3, 3).cuda()
