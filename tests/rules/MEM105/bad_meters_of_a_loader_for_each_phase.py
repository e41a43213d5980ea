# the key of what the loop goes through is called `phase`: the loop still goes over batches

import torch


class Meter:
    def __init__(self):
        self.sum, self.count = 0, 0

    def update(self, value):
        self.sum += value
        self.count += 1


class Trainer:
    def __init__(self, model, optimizer, loaders):
        self.model, self.optimizer, self.loaders = model, optimizer, loaders

    def epoch(self, phase):
        meters = {}
        for x in self.loaders[phase]:
            loss = self.model(x).mean()
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            for key, value in {"loss": loss, "half": loss / 2}.items():
                if key not in meters:
                    meters[key] = Meter()
                meters[key].update(value)  #! MEM105
        return {key: float(meter.sum) for key, meter in meters.items()}
