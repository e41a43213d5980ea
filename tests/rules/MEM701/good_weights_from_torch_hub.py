# weights from torch.hub

import torch

model = torch.nn.Linear(3, 3).cuda()
weights = torch.hub.load_state_dict_from_url("https://example.com/weights.pth")
model.load_state_dict(weights)
teacher = torch.hub.load("pytorch/vision", "resnet18").cuda()
