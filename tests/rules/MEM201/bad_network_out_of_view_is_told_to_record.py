# options that leave autograd on change nothing

import numpy as np
import torch
from encoders import Encoder

options = {"checkpoint": "encoder.ckpt", "no_grad": "False", "dropout": 0.1}
model = Encoder(options=options, width=160)
model.eval()
distances = []
for path in open("files.txt"):
    hidden = model(torch.load(path))  #! MEM201 error
    distances.append(np.linalg.norm(hidden.data.cpu().numpy()))
