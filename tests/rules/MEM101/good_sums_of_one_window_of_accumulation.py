# the sums begin again with each step of the optimizer: they hold the few losses of one window

import torch


class Recipe:
    def __init__(self, model, loss_fn, optimizer, loader, config):
        self.model, self.loss_fn, self.optimizer, self.loader = model, loss_fn, optimizer, loader
        self.accumulation_steps = config.accumulation_steps

    def train(self):
        running_loss, metrics = 0, {"chosen": 0, "logits": 0}
        for step, batch in enumerate(self.loader):
            logits = self.model(batch["x"])
            loss, chosen = self.loss_fn(logits, batch["y"])
            loss = loss / self.accumulation_steps
            running_loss += loss
            metrics["chosen"] += chosen.mean() / self.accumulation_steps
            metrics["logits"] += 1 / self.accumulation_steps * logits.detach().mean()
            loss.backward()
            if (step + 1) % self.accumulation_steps == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
                print(running_loss.item(), metrics)
                running_loss = 0
                metrics = {key: 0 for key in metrics}
