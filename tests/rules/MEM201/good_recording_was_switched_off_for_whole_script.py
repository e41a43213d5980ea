# recording was switched off for the whole script

import torch

torch.set_grad_enabled(False)
model = torch.nn.Linear(4, 2)
model.eval()
for x in torch.randn(10, 3, 4):
    print(model(x).argmax(1))
