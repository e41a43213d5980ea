# whole tensors, state dicts and Python objects

import torch

net = torch.nn.Linear(3, 3)
history = [0.5, 0.4]
runs = [torch.randn(3), torch.randn(3)]
torch.save(net.state_dict(), "net.pt")
torch.save({"net": net.state_dict(), "best": history[-1], "last": runs[-1]}, "all.pt")
torch.save(torch.cat(runs), "runs.pt")
