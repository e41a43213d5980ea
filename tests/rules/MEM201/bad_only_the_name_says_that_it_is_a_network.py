# advice where only a name makes it a network, in a loop over no loader of a function that nobody here calls;
# more with more evidence

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import torch


class Rewards(ABC):
    @abstractmethod
    def _of_actions(self, context):
        pass

    def __call__(self, context):
        return self._of_actions(context)


@dataclass
class Given:
    logs: Iterable
    target_model: Rewards


class Estimator:
    def evaluate(self, given: Given):
        total = 0.0
        for log in given.logs:
            for sample in log.samples:
                rewards = given.target_model(sample.context)  #! MEM201 advice
                total += float(rewards[sample.target_action])
        return torch.tensor(total)


def evaluate(model, xs):
    for x in xs:
        print(model(x).argmax())  #! MEM201 warning


def evaluate_loader(model, loader):
    for x in loader:
        print(model(x))  #! MEM201 error
