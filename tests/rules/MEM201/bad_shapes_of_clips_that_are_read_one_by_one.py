# real data, one clip after the other: the sizes are asked for, the graphs are there all the same

import torch
from torchvision.models import resnet50

from clips import names, read

net = resnet50(weights="DEFAULT").to("cuda")
net.eval()
for name in names("videos"):
    clip = read(name)
    features = net(clip.to("cuda"))  #! MEM201
    print(name, features.shape)
