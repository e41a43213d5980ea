# what the model is given is computed with under no_grad, by a method of its own, or for a backward of its own

import torch
import torch.nn.functional as F
from data import make_loader
from models import create_model
from options import Options

options = Options().parse()
model = create_model(options)


def train(loader):
    for batch in loader:
        model.set_input(batch)
        model.forward()
        model.backward_G()
        model.step()


def validate(loader):
    model.eval()
    total = 0.0
    for batch in loader:
        model.set_input(batch)
        with torch.no_grad():
            model.forward()
        total += F.l1_loss(model.fake, model.real).item()
    return total / len(loader)


def test(loader):
    model.eval()
    for batch in loader:
        model.set_input(batch)
        model.test()
        print(model.get_current_visuals())


def saliency(loader):
    model.eval()
    for batch in loader:
        model.set_input(batch)
        model.forward()
        model.backward_input()
        print(model.sensitivities())


train(make_loader(options, "train"))
validate(make_loader(options, "val"))
test(make_loader(options, "test"))
saliency(make_loader(options, "test"))
