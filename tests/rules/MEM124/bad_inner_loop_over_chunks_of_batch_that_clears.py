# inner loop over chunks of the batch that clears for each chunk

import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(30, 30), nn.Tanh(), nn.Linear(30, 2))
optimizer = torch.optim.RMSprop(encoder.parameters(), lr=1e-3)
loss_function = nn.CrossEntropyLoss()
for big_x, big_y in [(torch.randn(64, 30), torch.randint(0, 2, (64,))) for _ in range(5)]:
    for part_x, part_y in zip(big_x.chunk(4), big_y.chunk(4)):
        optimizer.zero_grad()  #! MEM124 error
        part_loss = loss_function(encoder(part_x), part_y) / 4
        part_loss.backward()
    optimizer.step()
