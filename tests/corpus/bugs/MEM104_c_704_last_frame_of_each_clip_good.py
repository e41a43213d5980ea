import torch
from torch import nn


def final_states(gru: nn.GRU, clips):
    """The last hidden vector of every clip, for a probe that is fitted afterwards."""
    feats = {}
    gru.eval()
    with torch.no_grad():
        for key, clip in clips:
            out, _ = gru(clip.unsqueeze(0))
            last = out[0, -1]
            feats[key] = last.clone()
    return feats


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.GRU(40, 256, batch_first=True)
    data = [(f"clip{i}", torch.randn(400, 40)) for i in range(300)]
    table = final_states(net, data)
    probe = nn.Linear(256, 2)
    print(len(table), probe(next(iter(table.values()))).shape)
