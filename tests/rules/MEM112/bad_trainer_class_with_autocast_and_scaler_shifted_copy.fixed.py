# trainer class with autocast and a scaler; shifted copy of the logits beside them

import torch
from torch import nn
from torch.nn import functional as F


class TinyLM(nn.Module):
    def __init__(self, vocab_size=32000, width=96):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, width)
        self.mix = nn.Linear(width, width)
        self.lm_head = nn.Linear(width, vocab_size, bias=False)

    def forward(self, ids):
        return self.lm_head(torch.relu(self.mix(self.wte(ids))))


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda", enabled=False)

    def step(self, ids):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.model(ids)
            shifted = logits[:, :-1].contiguous()
            loss = F.cross_entropy(shifted.view(-1, shifted.size(-1)), ids[:, 1:].reshape(-1))
        del logits, shifted
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

    def fit(self, batches):
        for number, ids in enumerate(batches):
            print(number, self.step(ids))


Trainer(TinyLM()).fit([torch.randint(0, 32000, (2, 16)) for _ in range(3)])
