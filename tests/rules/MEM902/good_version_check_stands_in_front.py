# a version check stands in front

import torch
from torch.optim import lr_scheduler

optimizer = torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=0.1)
if torch.__version__ < "2.2":
    scheduler = lr_scheduler.StepLR(optimizer, 10, verbose=True)
else:
    scheduler = lr_scheduler.StepLR(optimizer, 10)
