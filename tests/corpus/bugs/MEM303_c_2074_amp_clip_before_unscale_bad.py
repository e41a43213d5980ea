# Trainer with gradient clipping and a scaler in the wrong order.
import contextlib

import torch
from torch import nn


class AmpTrainer:
    def __init__(self, model, *, clip=1.0, enabled=True):
        self.model = model.cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-4)
        self.scaler = torch.amp.GradScaler("cuda", enabled=enabled)
        self.clip = clip
        self.context = torch.autocast("cuda", torch.float16) if enabled else contextlib.nullcontext()

    def optimize(self, loss):
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        if self.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=self.clip)  #! MEM303
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def fit(self, steps):
        for step in range(steps):
            tokens = torch.randint(1000, (8, 64), device="cuda")
            with self.context:
                logits = self.model(tokens[:, :-1])
                loss = nn.functional.cross_entropy(logits.transpose(1, 2), tokens[:, 1:])
            self.optimize(loss)
            if step % 100 == 0:
                print(step, loss.item())


layer = nn.TransformerEncoderLayer(128, 4, 256, batch_first=True)
AmpTrainer(nn.Sequential(nn.Embedding(1000, 128), layer, nn.Linear(128, 1000))).fit(1000)
