import os
import torch
from models import build
gpu = 3
os.environ["CUDA_VISIBLE_DEVICES"] = gpu  #! MEM503
net = build().to("cuda")
print(net)
