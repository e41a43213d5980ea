# the networks are engines of DeepSpeed, made in another file: they go backward from a loss, and their step clears

import torch


class Updater:
    def __init__(self, options, module):
        self.module = module
        self.engines = options.use_deepspeed

    def update(self, batch):
        for optimizer in self.module.optimizers.values():
            if not self.engines:
                optimizer.zero_grad()
        loss = self.module.models["policy"](batch).mean()
        if self.engines:
            self.module.models["policy"].backward(loss)
            self.module.optimizers["policy"].step()
        else:
            loss.backward()
            for optimizer in self.module.optimizers.values():
                optimizer.step()
        return loss.item()

    def train(self, batches):
        for batch in batches:
            self.update(batch)


def finetune(model, optimizer, batches):
    for batch in batches:
        loss = torch.relu(model(batch)).mean()
        model.backward(loss)
        optimizer.step()
