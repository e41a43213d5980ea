import numpy as np
import torch
from sklearn.linear_model import SGDClassifier


class Annealer:
    def __init__(self):
        self.t = 1.0

    def step(self):
        self.t *= 0.99


def main(batches):
    clf = SGDClassifier(loss="log_loss")
    annealer = Annealer()
    total_loss = 0
    losses = []
    for x, y in batches:
        feats = torch.as_tensor(x).float().reshape(len(x), -1).numpy()
        clf.partial_fit(feats, y, classes=[0, 1])
        loss = -np.log(clf.predict_proba(feats)[np.arange(len(y)), y] + 1e-9).mean()
        total_loss += loss
        losses.append(loss)
        annealer.step()
    print(total_loss / len(losses))
