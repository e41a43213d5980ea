# inference_mode in a branch of a helper

import torch


def set_mode(model, train):
    if train:
        model.train()
        torch.enable_grad()  #! MEM202
    else:
        model.eval()
        torch.inference_mode()  #! MEM202


net = torch.nn.Linear(2, 2)
for phase in ("train", "val"):
    set_mode(net, phase == "train")
