# names like those of networks, but modules and functions of other files: `net.run()`, `model(3)`

import torch
from parts import encoder, model, net

sizes = [model(width) for width in (8, 16)]
for batch in encoder.read("held_out"):
    print(net.run(batch), sizes)
for x in torch.utils.data.DataLoader(encoder.Pictures("held_out"), 64):
    print(encoder.describe(x))
