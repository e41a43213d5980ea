# bare no_grad before an evaluation loop

import torch

model = torch.nn.Linear(10, 2)
model.eval()
with torch.no_grad():
    for x in torch.randn(20, 4, 10):
        print(model(x).argmax(1))
