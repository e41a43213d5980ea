"""Compares pictures of two folders by a network that the measure is given."""

import torch
from measures import Measure

net = torch.nn.Bilinear(8, 8, 1)
distance = Measure(net)
total = 0.0
for found, wanted in torch.utils.data.DataLoader(torch.load("pairs.pt")):
    total += distance(found, wanted).item()  #! MEM201
print(total)
