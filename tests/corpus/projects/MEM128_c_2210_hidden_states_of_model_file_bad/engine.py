import torch.nn.functional as F


def train_epoch(model, loader, optimizer, device):
    model.train()
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch["ids"], batch["mask"]), batch["label"])
        loss.backward()
        optimizer.step()
