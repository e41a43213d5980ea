# entered by with, alone or together with others

import torch

model = torch.nn.Linear(4, 2)
with torch.no_grad():
    model(torch.randn(1, 4))
with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
    model(torch.randn(1, 4))
with torch.no_grad() as nothing:
    model(torch.randn(1, 4))
