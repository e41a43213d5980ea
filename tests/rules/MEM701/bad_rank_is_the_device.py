# every rank moves its model to the number that the launcher gave it

import os

import torch

rank = int(os.environ["LOCAL_RANK"])
model = torch.nn.Linear(512, 512).to(rank)
saved = torch.load("last.pt")  #! MEM701 warning
model.load_state_dict(saved)
