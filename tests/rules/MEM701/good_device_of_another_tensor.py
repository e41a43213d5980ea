# what is made where another tensor lies says nothing of a GPU

import torch


class Codebook:
    def __init__(self, rows: torch.Tensor):
        self._rows = rows
        self.seen = torch.zeros(len(rows), device=self._rows.device)

    def resume(self, path, net):
        net.load_state_dict(torch.load(path))
