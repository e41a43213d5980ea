# cpu() and mean() do not leave the graph

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(nn.Linear(16, 16)).to(device)
optimizer = torch.optim.Adam(model.parameters())
epoch_loss = 0.0
for i in range(400):
    batch = torch.randn(32, 16, device=device)
    per_sample = (model(batch) - batch).pow(2).sum(1)
    loss = per_sample.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    epoch_loss += loss.cpu()  #! MEM101 warning
print(float(epoch_loss) / 400)
