# `.to` takes a dtype and other tensors here, which say nothing about a device

import torch


def score(rows, other, dtype):
    model = torch.nn.Linear(3, 3)
    model.load_state_dict(torch.load("weights.pt"))
    model.to(dtype)
    return model(rows.to(other)).to(rows.device)
