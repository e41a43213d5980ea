# its name stands for a new container after each step, and nothing holds the old one

import torch


class Trainer:
    def __init__(self):
        self.seen = []

    def train(self, model, loader, optimizer):
        losses, by_name = [], {"train": []}
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            losses.append(loss)
            self.seen.append(loss)
            by_name["train"].append(loss)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(len(losses), len(self.seen), len(by_name["train"]))
            losses, self.seen = [], []
            by_name = {"train": []}
