# a network whose class is not in view may be made with an option that turns autograd off

import numpy as np
import torch
from encoders import Encoder

options = {"checkpoint": "encoder.ckpt", "no_grad": "True", "dropout": 0.1}
model = Encoder(options=options, width=160)
model.eval()
distances = []
for path in open("files.txt"):
    hidden = model(torch.load(path))
    distances.append(np.linalg.norm(hidden.data.cpu().numpy()))

model = Encoder(160, no_grad=True)
model.eval()
for path in open("files.txt"):
    distances.append(np.linalg.norm(model(torch.load(path)).data.cpu().numpy()))
