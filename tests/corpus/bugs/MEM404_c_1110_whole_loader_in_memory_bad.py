"""Somebody read that iterating the loader is slow, and keeps the batches of all epochs on the GPU."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchaudio.datasets import SPEECHCOMMANDS


def pad(batch):
    return nn.utils.rnn.pad_sequence([b[0].t() for b in batch], batch_first=True), torch.tensor([len(b[2]) for b in batch])


device = torch.device("cuda:0")
train_loader = DataLoader(SPEECHCOMMANDS("data", subset="training"), batch_size=64, collate_fn=pad, num_workers=2)
cached = []
for wav, lab in train_loader:
    cached.append((wav.to(device), lab.to(device)))  #! MEM404 #? MEM103

model = nn.GRU(1, 64, batch_first=True).to(device)
head = nn.Linear(64, 35).to(device)
optim = torch.optim.Adam([*model.parameters(), *head.parameters()])
for ep in range(10):
    for wav, lab in cached:
        optim.zero_grad()
        _, h = model(wav)
        loss = nn.functional.cross_entropy(head(h[-1]), lab)
        loss.backward()
        optim.step()
    print(ep, loss.item())
