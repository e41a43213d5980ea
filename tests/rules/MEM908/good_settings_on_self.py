# options that a network holds have attributes as they like

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.scale = nn.Parameter(torch.ones(3))
        self.args.require_grad = False
        self.args.model.require_grads = True
