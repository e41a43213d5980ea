# what is read of several files are numbers, and the network stays where it was saved

import glob

import torch

best = 0.0
for name in glob.glob("fold*.pt"):
    state = torch.load(name)
    best = max(best, state["accuracy"])
score = torch.load("scorer.pt")
print(best, score(torch.rand(4, 3).to("cuda:1")).mean())
