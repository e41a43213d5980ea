# what was gathered is joined, and moved to the host through .data

import torch


class Encoder:
    def __init__(self, net):
        self.net = net.cuda()

    def encode(self, loader):
        rows = []
        with torch.no_grad():
            for batch in loader:
                rows.append(self.net(batch.cuda()).cpu())
        return torch.cat(rows).data.cpu().numpy()
