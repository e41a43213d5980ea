from util.env import setup_env
setup_env("0,1")
import torch
net = torch.nn.Linear(3, 3).to("cuda:1")
