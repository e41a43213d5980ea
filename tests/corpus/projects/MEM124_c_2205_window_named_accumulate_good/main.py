import torch

from config import TrainConfig
from engine import train

cfg = TrainConfig()
net = torch.nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), cfg.lr)
train(net, torch.nn.CrossEntropyLoss(), [(torch.randn(2, 6), torch.tensor([0, 1]))] * 64, opt, cfg)
