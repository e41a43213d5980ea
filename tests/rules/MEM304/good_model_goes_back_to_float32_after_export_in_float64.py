# the model goes back to float32 after an export in float64

import torch

model = torch.nn.Linear(2, 2).cuda()
model.double()
torch.save(model.state_dict(), "exact.pt")
model.float()
