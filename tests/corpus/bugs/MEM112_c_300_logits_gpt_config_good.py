from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    vocab_size: int = 50304
    n_embd: int = 64
    block_size: int = 32


class GPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.wte = nn.Embedding(cfg.vocab_size, cfg.n_embd)
        self.lm_head = nn.Linear(cfg.n_embd, cfg.vocab_size, bias=False)

    def forward(self, idx, targets=None):
        logits = self.lm_head(self.wte(idx))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss


cfg = Config()
model = GPT(cfg)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4)
data = torch.randint(0, cfg.vocab_size, (4096,))


def get_batch():
    ix = torch.randint(len(data) - cfg.block_size - 1, (4,))
    x = torch.stack([data[i : i + cfg.block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + 1 + cfg.block_size] for i in ix])
    return x, y


X, Y = get_batch()
for iter_num in range(20):
    for micro_step in range(2):
        loss = model(X, Y)[1]
        loss = loss / 2
        X, Y = get_batch()
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
