import os
import torch
from models import build
gpu = 3
os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)
net = build().to("cuda")
print(net)
