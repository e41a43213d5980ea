import torch
from torch import nn
from tqdm import tqdm


def evaluate(net, dl, device):
    net.train(False)
    crit = nn.CrossEntropyLoss(reduction='sum')
    loss_total, hits, n = 0., 0, 0
    for i, (inputs, targets) in tqdm(enumerate(dl), total=len(dl), leave=False):
        inputs = {k: v.to(device) for k, v in inputs.items()}
        scores = net(**inputs)  #! MEM201
        loss_total += crit(scores, targets.to(device)).item()
        hits += scores.argmax(-1).cpu().eq(targets).sum().item()
        n += len(targets)
    net.train(True)
    return loss_total / n, hits / n
