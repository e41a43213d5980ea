import torch
import torch.nn.functional as F
from tqdm import tqdm


def train_epoch(model, loader, optimizer, scheduler, cfg, device):
    model.train()
    losses = []
    for i, batch in enumerate(tqdm(loader)):
        batch = {k: v.to(device) for k, v in batch.items()}
        labels = batch.pop("labels")
        loss = F.cross_entropy(model(**batch), labels) / cfg.grad_accum
        loss.backward()
        if (i + 1) % cfg.grad_accum == 0:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def predict(model, loader, device):
    model.eval()
    logits, gold = [], []
    with torch.no_grad():
        for batch in loader:
            labels = batch.pop("labels")
            out = model(**{k: v.to(device) for k, v in batch.items()})
            logits.append(out.cpu())
            gold.append(labels)
    return torch.cat(logits), torch.cat(gold)
