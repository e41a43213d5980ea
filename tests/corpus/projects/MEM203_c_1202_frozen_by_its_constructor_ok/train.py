import torch
from torch import nn

from features import Features

features = Features(trainable=False).cuda()
styler = nn.Conv2d(3, 3, 5, padding=2).cuda()
optimizer = torch.optim.Adam(styler.parameters(), lr=1e-3)
for images in torch.rand(100, 4, 3, 64, 64):
    images = images.cuda()
    optimizer.zero_grad()
    wanted = features(images)
    loss = (features(styler(images)) - wanted).pow(2).mean()
    loss.backward()
    optimizer.step()
