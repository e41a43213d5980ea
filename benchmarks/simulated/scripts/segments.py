"""DeepLabV3 of torchvision (ResNet-50) with its auxiliary loss, float16 autocast, SGD, crops of 480 x 480."""

import torch
import torch.nn.functional as F
from torchvision.models.segmentation import deeplabv3_resnet50

torch.manual_seed(0)
model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=21, aux_loss=True).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.02, momentum=0.9, weight_decay=1e-4)
scaler = torch.cuda.amp.GradScaler()
for _ in range(4):
    picture = torch.rand(8, 3, 480, 480).cuda(non_blocking=True)
    labels = torch.randint(0, 21, (8, 480, 480)).cuda(non_blocking=True)
    with torch.cuda.amp.autocast():
        found = model(picture)
        loss = F.cross_entropy(found["out"], labels, ignore_index=255)
        loss = loss + 0.5 * F.cross_entropy(found["aux"], labels, ignore_index=255)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(loss.item())
