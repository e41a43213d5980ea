"""A one-stage detector: scores for 98,208 places of an image, the best ones chosen, focal loss of all."""

import torch
import torch.nn.functional as F
from torch import nn

BATCH, SIDE, CLASSES, ANCHORS, BEST = 4, 512, 80, 9, 1000


def block(before, after, stride):
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(block(3, 32, 2), block(32, 64, 2), block(64, 128, 2))
        self.stages = nn.ModuleList([block(128, 256, 1), block(256, 256, 2), block(256, 256, 2), block(256, 256, 2)])
        self.scores = nn.Sequential(block(256, 256, 1), nn.Conv2d(256, ANCHORS * CLASSES, 3, padding=1))
        self.boxes = nn.Sequential(block(256, 256, 1), nn.Conv2d(256, ANCHORS * 4, 3, padding=1))

    def forward(self, x):
        x, scores, boxes = self.stem(x), [], []
        for stage in self.stages:
            x = stage(x)
            scores.append(self.scores(x).permute(0, 2, 3, 1).reshape(x.size(0), -1, CLASSES))
            boxes.append(self.boxes(x).permute(0, 2, 3, 1).reshape(x.size(0), -1, 4))
        return torch.cat(scores, 1), torch.cat(boxes, 1)


torch.manual_seed(0)
net = Detector().cuda()
optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, weight_decay=1e-4)
for _ in range(4):
    images = torch.rand(BATCH, 3, SIDE, SIDE).cuda()
    scores, boxes = net(images)
    labels = torch.zeros_like(scores)
    labels[:, ::500, 3] = 1.0
    kind = F.binary_cross_entropy_with_logits(scores, labels, reduction="none")
    weight = torch.where(labels > 0, 0.25, 0.75) * (1 - torch.exp(-kind)) ** 2
    place = F.smooth_l1_loss(boxes[:, ::500], torch.zeros_like(boxes[:, ::500]))
    loss = (weight * kind).sum() / BATCH + place
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
net.eval()
with torch.no_grad():
    for image in torch.rand(3, 3, SIDE, SIDE).cuda():
        scores, boxes = net(image[None])
        flat = scores[0].sigmoid().flatten()
        best, order = flat.sort(descending=True)
        order = order[:BEST]
        print(boxes[0][order // CLASSES].sum().item(), best[0].item())
