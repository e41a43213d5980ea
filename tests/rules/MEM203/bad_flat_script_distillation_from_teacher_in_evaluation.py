# flat script: distillation from a teacher in evaluation mode

import torch
from torch import nn
from torch.nn import functional as F

teacher = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 10)).eval()
student = nn.Linear(32, 10)
optimizer = torch.optim.Adam(student.parameters())
for x in torch.randn(50, 64, 32):
    wanted = teacher(x)  #! MEM203 warning
    loss = F.kl_div(F.log_softmax(student(x), 1), F.softmax(wanted, 1), reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
