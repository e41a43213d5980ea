import torch

from engine import train_epoch
from models import Classifier

model = Classifier("bert-base-uncased", 4).cuda()
loader = torch.utils.data.DataLoader(torch.load("d.pt"), 32, shuffle=True)
train_epoch(model, loader, torch.optim.AdamW(model.parameters(), 2e-5), "cuda")
