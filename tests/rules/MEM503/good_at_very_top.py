# at the very top

import os
os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"

import torch

model = torch.nn.DataParallel(torch.nn.Linear(3, 3).to("cuda:0"), device_ids=[0, 1])
spare = torch.zeros(3, device="cuda:1")
