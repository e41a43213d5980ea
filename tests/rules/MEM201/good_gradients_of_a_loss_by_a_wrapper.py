# what computes gradients runs backward itself

import numpy as np
import torch


class FastTrainer:
    def __init__(self, classifier, optimizer):
        self.classifier, self.optimizer = classifier, optimizer

    def fit(self, loader, eps):
        for x, y in loader:
            delta = self.classifier.loss_gradient(x, y)
            x = x + np.clip(eps * np.sign(delta), -eps, eps)
            self.optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(self.classifier.model(x), y)
            loss.backward()
            self.optimizer.step()
