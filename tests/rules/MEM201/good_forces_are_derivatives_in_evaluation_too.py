# the model of an interatomic potential differentiates its energy for the forces: under no_grad it raises

import torch


def validate(model, loader):
    model.eval()
    total = 0.0
    for batch in loader:
        predicted = model(batch["coord"], batch["atype"])
        error = (predicted["force"] - batch["force"]).square().mean()
        total += error.item() / batch["natoms"]
    return total


class Trainer:
    def __init__(self, wrapper, valid_batches, loss):
        self.wrapper, self.valid_batches, self.loss = wrapper, valid_batches, loss

    def evaluate(self):
        self.wrapper.eval()
        sums = {}
        for inputs, labels in self.valid_batches:
            outputs = self.wrapper(**inputs)
            n_atoms = int((inputs["atomic_numbers"] > 0).sum())
            for name, value in self.loss(outputs, labels).items():
                sums[name] = sums.get(name, 0.0) + value.item() * n_atoms
        return sums
