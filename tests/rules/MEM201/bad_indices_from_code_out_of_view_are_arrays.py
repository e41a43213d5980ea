# what another package makes of the features, indices, becomes an array: the features may well have a graph

import numpy as np
import torch
from lib.search import nearest


class Matcher:
    def __init__(self, config, model, loader):
        self.model = model.to(config.device)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.loader = loader

    def validate(self):
        self.model.eval()
        found = []
        for pair in self.loader:
            left = self.model(pair["left"])  #! MEM201 error
            right = self.model(pair["right"])
            found.append(np.mean(np.asarray(nearest(left, right)) > 0))
        return found
