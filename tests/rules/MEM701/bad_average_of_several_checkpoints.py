# the mean of several files becomes the weights

import glob
from collections import OrderedDict

import torch

device = torch.accelerator.current_accelerator()
model = torch.nn.LSTM(64, 64).to(device)
parts = [torch.load(path) for path in glob.glob("soup/*.pt")]  #! MEM701 warning
model.load_state_dict(OrderedDict((k, sum(p[k] for p in parts) / len(parts)) for k in parts[0]))
