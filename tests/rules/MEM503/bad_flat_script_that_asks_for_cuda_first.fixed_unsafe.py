# flat script that asks for CUDA first

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(4, 4).to(device)
print(model(torch.randn(1, 4).to(device)))
