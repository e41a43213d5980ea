# flat script: LSTM state kept over the batches of an epoch

import torch
from torch import nn

torch.manual_seed(3)
series = torch.sin(torch.arange(0, 400.0) / 7).view(-1, 1, 1)
lstm = nn.LSTM(1, 24)
readout = nn.Linear(24, 1)
optimizer = torch.optim.Adam([*lstm.parameters(), *readout.parameters()], lr=1e-2)

for epoch in range(4):
    hidden = None
    for start in range(0, 360, 20):
        window = series[start : start + 20]
        target = series[start + 1 : start + 21]
        optimizer.zero_grad()
        states, hidden = lstm(window, hidden)
        loss = nn.functional.mse_loss(readout(states), target)
        loss.backward()
        hidden = tuple(s.detach() for s in hidden)
        optimizer.step()
    print(epoch, loss.item())
