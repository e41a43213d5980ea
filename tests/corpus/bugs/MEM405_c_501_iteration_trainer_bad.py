from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, Dataset


@dataclass
class Setup:
    max_iters: int = 10_000
    accum: int = 4
    block: int = 128


class Crops(Dataset):
    def __init__(self, tokens, block):
        self.tokens, self.block = tokens, block

    def __len__(self):
        return len(self.tokens) - self.block - 1

    def __getitem__(self, i):
        return self.tokens[i : i + self.block], self.tokens[i + 1 : i + 1 + self.block]


def get_batch(split):
    x, y = next(iter(loaders[split]))  #! MEM405
    return x.to(device, non_blocking=True), y.to(device, non_blocking=True)


cfg = Setup()
device = "cuda" if torch.cuda.is_available() else "cpu"
corpus = torch.randint(0, 256, (1_000_000,))
loaders = {
    "train": DataLoader(Crops(corpus[:900_000], cfg.block), batch_size=12, shuffle=True, pin_memory=True),
    "val": DataLoader(Crops(corpus[900_000:], cfg.block), batch_size=12, shuffle=True),
}
lm = torch.nn.Sequential(torch.nn.Embedding(256, 64), torch.nn.Linear(64, 256)).to(device)
opt = torch.optim.AdamW(lm.parameters())
for it in range(cfg.max_iters):
    for micro in range(cfg.accum):
        x, y = get_batch("train")
        loss = torch.nn.functional.cross_entropy(lm(x).flatten(0, 1), y.flatten()) / cfg.accum
        loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
