import torch
from torch.utils.data import DataLoader

from src.config import get_config
from src.loops import predict, train_epoch
from src.modeling import SentencePairModel
from src.optim import build

cfg = get_config()
device = torch.device("cuda")
model = SentencePairModel(cfg.model).to(device)
train_loader = DataLoader(torch.load("train.pt"), 16, shuffle=True)
dev_loader = DataLoader(torch.load("dev.pt"), 64)
optimizer, scheduler = build(model, cfg, len(train_loader) * 3)  #= MEM205
print(sum(p.numel() for p in model.parameters()))
for epoch in range(3):
    print(train_epoch(model, train_loader, optimizer, scheduler, cfg, device))
    logits, gold = predict(model, dev_loader, device)
    print((logits.argmax(1).cpu() == gold).float().mean())
