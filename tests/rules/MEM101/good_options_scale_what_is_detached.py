# the loss is divided by an option and so is the metric: that makes no tensor of the option


class Recipe:
    def __init__(self, model, loss_fn, optimizer, loader, config):
        self.model, self.loss_fn, self.optimizer, self.loader = model, loss_fn, optimizer, loader
        self.accumulation_steps = config.accumulation_steps

    def train(self):
        metrics = {"logits": 0}
        for step, batch in enumerate(self.loader):
            logits = self.model(batch["x"])
            loss = self.loss_fn(logits, batch["y"]) / self.accumulation_steps
            metrics["logits"] += 1 / self.accumulation_steps * logits.detach().mean()
            loss.backward()
            if (step + 1) % self.accumulation_steps == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return metrics
