# whether predict records is up to its callers, who get what the network gives

from torch import nn


class Scorer:
    def __init__(self, size):
        self.model = nn.Linear(size, 1)

    def predict(self, x):
        self.model.eval()
        return self.model(x).squeeze(1)

    def scores_of(self, x):
        self.model.eval()
        return self.predict(x)
