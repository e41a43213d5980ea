import torch
from loaders import build

for x in build("d.pt", 0):  #! MEM906
    print(x)
