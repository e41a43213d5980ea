# two sums in one assignment, of which one is detached already

import torch
from torch import nn

trunk, left, right = nn.Linear(30, 16), nn.Linear(16, 5), nn.Linear(16, 2)
optimizer = torch.optim.SGD([*trunk.parameters(), *left.parameters(), *right.parameters()], lr=0.1)
criterion = nn.CrossEntropyLoss()
sum_left = sum_right = 0.0
for step in range(200):
    h = trunk(torch.randn(16, 30)).relu()
    a = criterion(left(h), torch.randint(5, (16,)))
    b = criterion(right(h), torch.randint(2, (16,)))
    optimizer.zero_grad()
    (a + b).backward()
    optimizer.step()
    sum_left, sum_right = sum_left + a.detach(), sum_right + b  #! MEM101 warning
print(float(sum_left) / 200, float(sum_right) / 200)
