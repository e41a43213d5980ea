import torch
from torch import nn




def attach(opt):
    opt.register_step_post_hook(lambda o, args, kwargs: o.zero_grad())
    return opt
