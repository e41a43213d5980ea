import jinja2
import torch


def templates(path):
    loader = jinja2.FileSystemLoader(path)
    return list(loader.list_templates())


def mine(model, test_loader, limit=16):
    hardest = []
    with torch.no_grad():
        for x, y in test_loader:
            loss = torch.nn.functional.cross_entropy(model(x), y).item()
            hardest.append((loss, x[0], y[0].item()))
            hardest = sorted(hardest, key=lambda r: -r[0])[:limit]
    return hardest
