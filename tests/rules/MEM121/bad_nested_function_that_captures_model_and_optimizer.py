# nested function that captures model and optimizer; the model that is zeroed is another one

import torch
from torch import nn


def distill(teacher, student, loader):
    optimizer = torch.optim.Adam(student.parameters(), lr=1e-4)

    def step(x):
        with torch.no_grad():
            target = teacher(x).softmax(-1)
        loss = -(target * student(x).log_softmax(-1)).sum(-1).mean()
        loss.backward()  #! MEM121
        optimizer.step()
        return float(loss)

    for epoch in range(3):
        for x in loader:
            teacher.zero_grad()
            value = step(x)
        print(epoch, value)


distill(nn.Linear(6, 3), nn.Linear(6, 3), torch.randn(20, 4, 6))
