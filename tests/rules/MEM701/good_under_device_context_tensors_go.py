# under a device context the tensors go there

import torch

model = torch.nn.Linear(3, 3).cuda()
with torch.device("cpu"):
    model.load_state_dict(torch.load("weights.pt"))
