# the whole GPU as a float, and its name in a comment

import torch

torch.cuda.set_per_process_memory_fraction(1.0)  # limit this process to the memory of one GPU
torch.cuda.set_per_process_memory_fraction(fraction=0.25)
