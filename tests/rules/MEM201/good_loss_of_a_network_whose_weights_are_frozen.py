# a step of either kind: validation runs the network in a block that freezes it, and has it compute its loss

from groups import freezing


class Trainer:
    def __init__(self, model, optimizer, training, validation):
        self.model = model
        self.optimizer = optimizer
        self.training = training
        self.validation = validation

    def train(self):
        for x, y in self.training:
            self.optimizer.zero_grad()
            self.step(x, y, train=True)["loss"].backward()
            self.optimizer.step()

    def step(self, x, y, train):
        results = self.run(x, y, train)
        losses = self.model.calculate_loss(**results)
        return {**losses, **results}

    def run(self, x, y, train):
        self.model.train(train)
        given = {"inputs": x, "targets": y}
        if train:
            results = self.model(**given)
        else:
            with freezing(self.model.groups):
                results = self.model(**given)
        return {**results, **given}

    def validate(self):
        for x, y in self.validation:
            print(self.step(x, y, train=False))
