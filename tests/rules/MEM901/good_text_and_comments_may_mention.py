# text and comments may mention it

import torch

# was: with amp.scale_loss(loss, optimizer) as scaled_loss
NOTE = "torch.cuda.amp.scale_loss never existed"


def initialize(model):
    print(NOTE)
    return model


initialize(torch.nn.Linear(2, 2))
