import torch
import torch.nn as nn
import torch.nn.functional as F

from omniglot import sample_tasks

net = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 20)).cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for it in range(60000):
    tasks = sample_tasks(32)
    optimizer.zero_grad()
    meta_loss = 0
    for images, labels in tasks:
        logits = net(images.cuda())
        meta_loss = meta_loss + F.cross_entropy(logits, labels.cuda())  #= MEM118
    meta_loss = meta_loss / len(tasks)
    meta_loss.backward()  #! MEM118
    optimizer.step()
