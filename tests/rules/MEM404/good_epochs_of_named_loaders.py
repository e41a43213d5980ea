# the keys are names of loaders, the values are something else, and batches have no order

import torch


class OnlyThen:
    def __init__(self, loaders):
        self.loaders = loaders
        if isinstance(self.loaders, (list, tuple)):
            self.loaders = sorted(set(self.loaders))
        elif isinstance(self.loaders, dict):
            ignored = {}
            for loader, epochs in self.loaders.items():
                ignored[loader] = []
                for num in sorted(set(epochs)):
                    ignored[loader].append(int(num))
