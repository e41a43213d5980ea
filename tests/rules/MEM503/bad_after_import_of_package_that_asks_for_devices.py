# after the import of a package that asks for the devices

import os

import monai
import torch

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")  #! MEM503 warning
net = monai.networks.nets.UNet(2, 1, 2, (4, 8), (2,)).to("cuda")
