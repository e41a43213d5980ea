# an own function of that name

import torch


def set_per_process_memory_fraction(percent):
    torch.cuda.set_per_process_memory_fraction(percent / 100)


set_per_process_memory_fraction(60)
net = torch.nn.Linear(3, 3).cuda()
