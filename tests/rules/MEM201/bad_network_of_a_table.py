# a table may have networks as well: its name, or what the file asks of them, tells

import torch


def embed(table, loader, kind, path):
    encoder = table.get(kind, None)
    encoder.eval()
    kept = []
    for images, _ in loader:
        kept.append(encoder(images).detach().cpu())  #! MEM201 error
    torch.save(torch.cat(kept), path)


def score(models, loader, kind):
    total = 0.0
    for images, labels in loader:
        model = models.get(kind)
        total += (model(images).argmax(1) == labels).sum().item()  #! MEM201 warning
    return total
