"""Mask R-CNN of torchvision (ResNet-50, FPN) on four made-up pictures of 640 x 640 with eight objects each, SGD."""

import torch
from torchvision.models.detection import maskrcnn_resnet50_fpn

torch.manual_seed(0)
model = maskrcnn_resnet50_fpn(weights=None, weights_backbone=None, num_classes=21).to("cuda")
model.train()
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], 0.005, momentum=0.9)
for _ in range(4):
    pictures = [torch.rand(3, 640, 640).to("cuda") for _ in range(4)]
    targets = []
    for _ in pictures:
        corner = torch.rand(8, 2) * 400
        boxes = torch.cat([corner, corner + 60 + torch.rand(8, 2) * 120], 1)
        masks = torch.zeros(8, 640, 640, dtype=torch.uint8)
        for mask, (left, top, right, bottom) in zip(masks, boxes.long().tolist()):
            mask[top:bottom, left:right] = 1
        target = {"boxes": boxes, "labels": torch.randint(1, 21, (8,)), "masks": masks}
        targets.append({name: value.to("cuda") for name, value in target.items()})
    losses = model(pictures, targets)
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
