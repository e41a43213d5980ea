# a meter gets how many items a batch has beside the loss, of which it keeps the number

import torch


class Loss:
    def __init__(self):
        self.total = 0
        self.items = 0

    def update(self, loss, n_items):
        self.total += loss.item()
        self.items += n_items


class MainLoop:
    def __init__(self, net: torch.nn.Module, optim, batches):
        self.net, self.optim, self.batches = net, optim, batches
        self.meter = Loss()

    def train_batch(self, batch):
        self.optim.zero_grad()
        out = self.net(batch)
        if "loss" in out:
            self.meter.update(out["loss"], out["n_items"])
            loss = out["loss"] / out["n_items"]
        else:
            for task in out:
                self.meter.update(out[task]["loss"], out[task]["num_tokens"])
            loss = sum(out[k]["loss"] / out[k]["num_tokens"] for k in out)
        loss.backward()
        self.optim.step()

    def run(self):
        for batch in self.batches:
            self.train_batch(batch)
