import torch


@torch.no_grad()
def cls_vectors(vit, loader):
    rows = []
    for x, _ in loader:
        tokens = vit.forward_features(x)
        rows.append(tokens[:, 0])  #! MEM104
    return torch.cat(rows)
