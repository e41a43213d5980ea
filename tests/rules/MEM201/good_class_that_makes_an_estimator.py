# What is called `model` is a class: what it makes is told to learn, which no_grad would stop.

import numpy as np
import torch
from sklearn.model_selection import KFold


class Evaluator:
    def _evaluate_regression(self, model, options, x, y, x_test, y_test):
        estimator = model(**options).fit(x, y)
        return float(((estimator.predict(x_test) - y_test) ** 2).mean())

    def evaluate(self, model, options, x, y):
        scores = []
        for train, test in KFold(3).split(x, y):
            scores.append(self._evaluate_regression(model, options, x[train], y[train], x[test], y[test]))
        return torch.tensor(np.mean(scores))
