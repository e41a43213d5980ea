# a model of another file is given the batch first, and then computes what it keeps on itself

import torch
import torch.nn.functional as F
from data import make_loader
from models import create_model
from options import Options

options = Options().parse()
model = create_model(options)


def validate(loader):
    model.eval()
    total = 0.0
    for batch in loader:
        model.set_input(batch)
        model.forward()  #! MEM201 error
        total += F.l1_loss(model.fake, model.real).item()
    model.train()
    return total / len(loader)


class Tester:
    def __init__(self, model, test_loader):
        self.model, self.test_loader = model, test_loader

    def run(self):
        self.model.eval()
        for batch in self.test_loader:
            self.model.feed(batch)
            self.model.forward()  #! MEM201 error
            print(self.model.current_errors())


for epoch in range(options.epochs):
    for batch in make_loader(options, "train"):
        model.set_input(batch)
        model.optimize_parameters()
    torch.save(model.state_dict(), "last.pt")
    print(epoch, validate(make_loader(options, "val")))
