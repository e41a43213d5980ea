# an agent's policy, which the file resets like an object around a network, sees to the grad mode itself

import torch
from torch.utils.data import DataLoader


class Judge:
    def __init__(self, policy, env):
        self._policy, self._env = policy, env

    def evaluate(self, data, metric):
        self._policy.reset()
        results = []
        for inputs, label in DataLoader(data, batch_size=32):
            results.append(metric(self._policy.forward(inputs), label))
        return torch.tensor(results).mean()
