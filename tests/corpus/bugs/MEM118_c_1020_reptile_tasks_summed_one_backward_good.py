import torch
import torch.nn as nn
import torch.nn.functional as F

from omniglot import sample_tasks

net = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 20)).cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for it in range(60000):
    tasks = sample_tasks(32)
    optimizer.zero_grad()
    for images, labels in tasks:
        logits = net(images.cuda())
        (F.cross_entropy(logits, labels.cuda()) / len(tasks)).backward()
    optimizer.step()
