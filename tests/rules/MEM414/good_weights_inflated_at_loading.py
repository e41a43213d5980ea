# weights are repeated once, when a checkpoint is loaded

import torch


def inflate(net, path, depth):
    state_dict = torch.load(path, map_location="cpu")
    state_dict["proj.weight"] = state_dict["proj.weight"].unsqueeze(2).repeat(1, 1, depth, 1, 1) / depth
    net.load_state_dict(state_dict)
