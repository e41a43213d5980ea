# the features become arrays as they are, which raises where they have a graph: callers see to the grad mode

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
            left = self.model(pair["left"]).numpy()
            right = self.model(pair["right"]).numpy()
            found.append(np.mean(nearest(left, right) > 0))
        return found
