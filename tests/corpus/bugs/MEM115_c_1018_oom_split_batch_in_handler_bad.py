import logging

import torch
import torch.nn.functional as F

log = logging.getLogger("train")


def step(model, batch, optimizer):
    optimizer.zero_grad()
    out = model(batch["points"].cuda())
    loss = F.cross_entropy(out, batch["label"].cuda())
    loss.backward()
    optimizer.step()
    return loss.item()


def halves(batch):
    n = len(batch["label"]) // 2
    return [{k: v[:n] for k, v in batch.items()}, {k: v[n:] for k, v in batch.items()}]


def train(model, loader, optimizer, epochs):
    skipped = 0
    for epoch in range(epochs):
        for i, batch in enumerate(loader):
            try:
                value = step(model, batch, optimizer)
            except RuntimeError as e:
                if "out of memory" not in str(e):
                    raise
                log.warning("OOM at batch %d, splitting it", i)
                torch.cuda.empty_cache()
                for part in halves(batch):
                    value = step(model, part, optimizer)  #! MEM115
                skipped += 1
            if i % 10 == 0:
                log.info("epoch %d it %d loss %.4f (%d oom)", epoch, i, value, skipped)
