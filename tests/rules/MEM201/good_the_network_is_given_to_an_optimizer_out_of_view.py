# what the function gives goes to code out of view, which may run backward through it

import torch
from attacks import Attack
from inputs import Search, minimize


def most_exciting(model, settings, run):
    for name, setting in settings.items():
        result = search(model, setting)
        run.log({name: result.image().detach().cpu().numpy()})


def search(model, setting):
    def operation(inputs):
        computed, _ = model(inputs)
        return -setting.objective(computed)

    return Search(operation=operation, shape=(1, 28, 28)).run(**setting.options)


def lowest(model, starts):
    model.eval()
    found = []
    for start in starts:
        found.append(minimize(lambda x: model(x).sum(), start).detach().cpu().numpy())
    return found


class Critic:
    def __init__(self, model):
        self.model = model

    def attack_all(self, loader):
        for x, y in loader:
            print(self.attack(x).detach().cpu().mean().item())

    def attack(self, x):
        def objective(z):
            return self.model(z).sum()

        return Attack(objective).run(x)
