# a dataset about which nothing is known is advice

import torch
from torch.utils.data import DataLoader

from project.data import build_dataset


def run(cfg):
    dataset = build_dataset(cfg)
    loader = DataLoader(dataset, batch_size=cfg.batch_size, shuffle=True, drop_last=True)  #! MEM401 advice
    model = torch.nn.Linear(cfg.width, 1)
    opt = torch.optim.AdamW(model.parameters())
    for batch in loader:
        loss = model(batch).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
