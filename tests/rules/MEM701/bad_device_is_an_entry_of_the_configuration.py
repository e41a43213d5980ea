# the device stands in the configuration that the checkpoint holds

import torch
from zoo import get_model


def load(path):
    checkpoint = torch.load(path)  #! MEM701 warning
    config = checkpoint["config"]
    model = get_model(config["model"]).to(config["device"])
    model.load_state_dict(checkpoint["state_dict"])
    return model
