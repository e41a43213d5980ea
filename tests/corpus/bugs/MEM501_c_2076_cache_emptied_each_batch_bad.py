# A fight against fragmentation that costs time and frees nothing.
import gc

import torch
from torch import nn


def train_fn(loader, model, optimizer, device, scheduler=None):
    model.train()
    losses = []
    for bi, (ids, mask, targets) in enumerate(loader):
        ids, mask, targets = (t.to(device, non_blocking=True) for t in (ids, mask, targets))
        optimizer.zero_grad()
        hidden = model["body"](model["embed"](ids), src_key_padding_mask=mask)
        loss = nn.functional.binary_cross_entropy_with_logits(model["head"](hidden[:, 0]).squeeze(-1), targets)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss.item())
        del ids, mask, targets, loss, hidden
        gc.collect()  #? MEM501
        torch.cuda.empty_cache()  #! MEM501
    return sum(losses) / len(losses)


if __name__ == "__main__":
    device = torch.device("cuda")
    model = nn.ModuleDict(
        {
            "embed": nn.Embedding(5000, 128),
            "body": nn.TransformerEncoder(nn.TransformerEncoderLayer(128, 4, 256, batch_first=True), 2),
            "head": nn.Linear(128, 1),
        }
    ).to(device)
    batches = [(torch.randint(5000, (8, 50)), torch.rand(8, 50) > 0.8, torch.rand(8).round()) for _ in range(100)]
    print(train_fn(batches, model, torch.optim.AdamW(model.parameters()), device))
