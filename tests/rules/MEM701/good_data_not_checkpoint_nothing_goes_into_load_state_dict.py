# data, not a checkpoint: nothing goes into load_state_dict

import torch

features, labels = torch.load("train.pt")
model = torch.nn.Linear(features.shape[1], 2).cuda()
if labels.any():
    model.load_state_dict(torch.load("weights.pt", map_location="cpu"))
loss = torch.nn.functional.cross_entropy(model(features.cuda()), labels.cuda())
