import torch


def hard_negatives(net, loader, keep):
    """Boolean and integer-tensor indexing copy: only the picked rows stay."""
    net.eval()
    picked, tops = [], []
    with torch.no_grad():
        for x, y in loader:
            score = net(x)
            wrong = score.argmax(1) != y
            picked.append(x[wrong])
            tops.append(score[torch.arange(len(y)), y])
            keep.append(score[:, 0].numpy().copy())
    return torch.cat(picked), torch.cat(tops)
