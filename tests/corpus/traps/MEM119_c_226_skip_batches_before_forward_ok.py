import torch
from torch import nn
from torch.utils.data import DataLoader


def collate(batch):
    batch = [b for b in batch if b is not None]
    return None if not batch else torch.utils.data.default_collate(batch)


def train(model, dataset, epochs, max_norm=1.0):
    loader = DataLoader(dataset, batch_size=8, num_workers=2, collate_fn=collate)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(epochs):
        for batch in loader:
            if batch is None:
                continue
            x, y = batch
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            if not torch.isfinite(norm):
                optimizer.zero_grad()
                continue
            optimizer.step()
