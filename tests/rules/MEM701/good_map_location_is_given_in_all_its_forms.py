# map_location is given, in all its forms

import torch

device = torch.device("cuda")
net = torch.nn.Linear(3, 3).to(device)
net.load_state_dict(torch.load("a.pt", map_location="cpu"))
net.load_state_dict(torch.load("a.pt", map_location=device))
net.load_state_dict(torch.load("a.pt", "cpu"))
net.load_state_dict(torch.load("a.pt", map_location=lambda storage, loc: storage))
net.load_state_dict(torch.load("a.pt", map_location={"cuda:1": "cuda:0"})["model"])
options = {"map_location": "cpu"}
net.load_state_dict(torch.load("a.pt", **options))
