# a handler of ignite fills the model and the optimizer

import torch
from ignite.handlers import Checkpoint
from networks import Net

model = Net().to("cuda")
optimizer = torch.optim.Adam(model.parameters())
state = torch.load("last.pt")  #! MEM701 warning
Checkpoint.load_objects(to_load={"model": model, "optimizer": optimizer}, checkpoint=state)
