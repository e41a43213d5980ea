# flat script: the outputs of all batches in one tensor

import torch
from torch import nn

model = nn.Linear(64, 1000).cuda()
loader = [torch.randn(32, 64) for _ in range(100)]

outputs = [torch.empty(0, 1000, device="cuda")]
with torch.no_grad():
    for x in loader:
        outputs.append(model(x.cuda()))
    outputs = torch.cat(outputs)
print(outputs.argmax(1))
