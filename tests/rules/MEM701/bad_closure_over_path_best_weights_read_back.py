# closure over the path, best weights read back after training

import torch
import torch.nn as nn


def build_checkpointing(model, path):
    def save():
        torch.save(model.state_dict(), path)

    def restore():
        weights = torch.load(path)  #! MEM701 warning
        model.load_state_dict(weights)

    return save, restore


net = nn.Conv2d(3, 3, 3).cuda()
save, restore = build_checkpointing(net, "best.pt")
save()
restore()
