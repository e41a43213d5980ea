# while loop over an iterator, predictions written as numbers

import numpy as np
import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1))
net.load_state_dict(torch.load("net.pt", map_location="cpu"))
net.eval()
it = iter(torch.utils.data.DataLoader(torch.randn(100, 4), batch_size=10))
rows = []
while True:
    batch = next(it, None)
    if batch is None:
        break
    score = net(batch)  #! MEM201
    rows.append(score.detach().numpy())
np.save("scores.npy", np.concatenate(rows))
