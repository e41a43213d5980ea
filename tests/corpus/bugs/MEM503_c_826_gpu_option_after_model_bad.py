import argparse
import os
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="0")
parser.add_argument("--bs", type=int, default=8)
opt = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
os.environ["CUDA_VISIBLE_DEVICES"] = opt.gpu  #! MEM503
print(net(torch.randn(opt.bs, 3, device=device)))
