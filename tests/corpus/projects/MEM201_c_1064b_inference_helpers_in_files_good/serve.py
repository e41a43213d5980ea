import sys

import torch
from torchvision.io import read_image

from app.detect import Detector
from app.net import Heat

net = Heat()
net.load_state_dict(torch.load("heat.pt", map_location="cpu"))
detector = Detector(net)
for path in sys.argv[1:]:
    print(path, detector(read_image(path).float() / 255))  #= MEM201
