# objects that predict and see to the grad mode themselves; a loss of a library; a getter; a measuring dry run
import cv2
import torch
from detectors import Detector, Matcher
from torch.utils.flop_counter import FlopCounterMode


def annotate(paths, weights):
    detector = Detector(weights)
    for path in paths:
        results = detector(cv2.imread(path), conf=0.25, iou=0.7, verbose=False)
        cv2.imwrite(path + ".png", results[0].plot())


class AuxiliaryLoss:
    def __init__(self):
        self.matcher = Matcher()

    def _layer_loss(self, boxes, scores, truth):
        pairs = self.matcher(boxes, scores, truth)
        chosen, wanted = self._pick(pairs, boxes, truth)
        return (boxes[chosen] - truth[wanted]).abs().mean()

    def _pick(self, pairs, boxes, truth):
        return pairs[0].tolist(), pairs[1].tolist()

    def auxiliary_loss(self, layers, scores, truth):
        total = 0
        for boxes, score in zip(layers, scores):
            total = total + self._layer_loss(boxes, score, truth)
        return total


class Biases:
    def __init__(self, table):
        self.table = table

    def bias(self, ids):
        layer = self.table.eval().cpu()
        return layer(torch.tensor(ids)).squeeze().detach()


def operations(model, size):
    counter = FlopCounterMode()
    with counter:
        model(torch.ones(1, 3, size, size))
    return sum(counter.get_flop_counts()["Global"].values())


def table(names, build):
    for name in names:
        model = build(name)
        model.eval()
        print(name, operations(model, 224))
