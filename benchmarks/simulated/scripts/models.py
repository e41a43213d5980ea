"""A network of timm by its name, channels last, bfloat16 autocast, 32 images of 224 x 224, AdamW."""

import sys

import timm
import torch

BATCH = 32

torch.manual_seed(0)
net = timm.create_model(sys.argv[1]).cuda().to(memory_format=torch.channels_last)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
loss_of = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
for _ in range(4):
    images = torch.rand(BATCH, 3, 224, 224).cuda().to(memory_format=torch.channels_last)
    labels = torch.randint(0, 1000, (BATCH,)).cuda()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = loss_of(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
