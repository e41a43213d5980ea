# emulates a smaller GPU

import torch

total = torch.cuda.get_device_properties(0).total_memory
# behave like a card of 16 GB
torch.cuda.set_per_process_memory_fraction(min(1.0, 16 * 2**30 / total))
model = torch.nn.Linear(100, 100).cuda()
