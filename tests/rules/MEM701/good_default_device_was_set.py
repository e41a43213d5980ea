# a default device was set

import torch

torch.set_default_device("cuda")
model = torch.nn.Linear(3, 3)
model.load_state_dict(torch.load("weights.pt"))
