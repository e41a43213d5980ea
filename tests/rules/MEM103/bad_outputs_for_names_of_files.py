# the names of files are data, unlike those of fields

import torch
from torch import nn

net = nn.Linear(3, 3).cuda()


@torch.no_grad()
def embed(image_names):
    features = []
    for name in image_names:
        features.append(net(load(name).cuda()))  #! MEM103 warning
    torch.save([each.cpu() for each in features], "features.pt")
