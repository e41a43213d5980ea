# a script that runs a network over all its data and looks at nothing but sizes

import torch
from torchvision.models import resnet50

clips = torch.utils.data.DataLoader(torch.load("clips.pt", map_location="cpu"), batch_size=8)
net = resnet50(weights="DEFAULT").to("cuda")
for clip in clips:
    features = net(clip.to("cuda"))  #! MEM201 warning
    print(features.shape)
