# A comment says why it is float64; what the same call puts on the CPU is on no device.

import copy

import torch

device = torch.device("cuda")
model = torch.nn.ModuleList([torch.nn.Linear(8, 1) for _ in range(3)]).to(device)
# The baselines stay in float64 to avoid numerical errors: their weights can be very large.
for baseline in model:
    baseline.to(dtype=torch.float64)
head = torch.nn.Linear(8, 1).to(device)
for_workers = copy.deepcopy(head.to(dtype=torch.float64, device="cpu"))
head.to(device)
