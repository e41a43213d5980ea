# the dictionary that each epoch writes has the name of the one that was loaded, and some of its entries

import os

import torch
from net import Net

model = Net()
optimizer = torch.optim.Adam(model.parameters())
best, start = float("inf"), 0
if os.path.isfile("last.pt"):
    checkpoint = torch.load("last.pt", map_location="cpu")  #! MEM702 warning
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    best, start = checkpoint["best"], checkpoint["epoch"]
for epoch in range(start, 10):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    best = min(best, loss.item())
    checkpoint = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "best": best, "epoch": epoch}
    torch.save(checkpoint, "last.pt")
