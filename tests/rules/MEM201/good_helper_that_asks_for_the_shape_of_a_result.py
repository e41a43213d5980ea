# what a loop calls runs a network once without no_grad, for the shape of what it gives

import torch
import torch.nn.functional as F


def voting_predictions(models, inputs):
    votes = []
    with torch.no_grad():
        for model in models:
            model.eval()
            votes.append(model(inputs).argmax(dim=1))
    votes = torch.stack(votes)
    classes = models[0](inputs[:1]).size(1)
    return F.one_hot(votes.mode(0).values, classes).float()


def accuracy(models, dataloader, device="cuda"):
    correct = 0
    for inputs, targets in dataloader:
        predictions = voting_predictions(models, inputs.to(device))
        correct += (predictions.argmax(dim=1) == targets.to(device)).sum().item()
    return correct


class Evaluator:
    def check(self, net_class, size):
        model = net_class().cuda()
        model.eval()
        output = model(torch.randn(2, 3, size, size).cuda())
        if output.shape[0] != 2:
            return False, f"expected 2 rows, got {output.shape[0]}"
        return True, f"{output.shape[1]} classes"


class Search:
    def __init__(self, classes):
        self.evaluator = Evaluator()
        self.classes = classes

    def one(self, size):
        valid, text = self.evaluator.check(self.classes[size], size)
        return text if valid else None

    def run(self, sizes):
        for size in sizes:
            text = self.one(size)
            print(text)
