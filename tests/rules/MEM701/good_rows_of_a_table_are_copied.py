# rows of a table of numbers are copied into a tensor of the script: no weights

import torch

table = torch.zeros(10, 3).cuda()
for i, row in enumerate(torch.load("stats.pt")):
    table[i].copy_(row)
