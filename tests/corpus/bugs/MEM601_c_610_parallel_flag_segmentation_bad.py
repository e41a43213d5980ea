import argparse

import torch
import torch.nn as nn
import torchvision

p = argparse.ArgumentParser()
p.add_argument("--gpus", default="0,1,2,3")
p.add_argument("--parallel", action="store_true")
opt = p.parse_args()

net = torchvision.models.segmentation.fcn_resnet50(num_classes=21).cuda()
if opt.parallel:
    ids = [int(g) for g in opt.gpus.split(",")]
    net = nn.DataParallel(net, device_ids=ids, output_device=ids[0])  #! MEM601
criterion = nn.CrossEntropyLoss(ignore_index=255)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
for it in range(1000):
    image, mask = torch.randn(8, 3, 256, 256).cuda(), torch.randint(0, 21, (8, 256, 256)).cuda()
    optimizer.zero_grad()
    loss = criterion(net(image)["out"], mask)
    loss.backward()
    optimizer.step()
