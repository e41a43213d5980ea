# an argument decides what is moved to the host, before the store

import torch
from torch import nn


class Encoder:
    def __init__(self, net: nn.Module):
        self.net = net.cuda()

    @torch.no_grad()
    def encode(self, loader, rows_of_tokens=False, whole=False, as_array=False):
        found = []
        for batch in loader:
            out = self.net(batch.cuda())
            if rows_of_tokens:
                kept = []
                for row, length in zip(out["rows"], out["lengths"]):
                    kept.append(row[0:length])
            elif whole:
                kept = []
                for index in range(len(out["sentences"])):
                    entry = {}
                    for name, value in out.items():
                        entry[name] = value[index]
                    kept.append(entry)
            else:
                kept = out["sentences"]
                kept = kept.detach()
                if as_array:
                    kept = kept.cpu()
            found.extend(kept)
        if as_array:
            return [row.cpu().numpy() for row in found]
        return torch.stack(found)
