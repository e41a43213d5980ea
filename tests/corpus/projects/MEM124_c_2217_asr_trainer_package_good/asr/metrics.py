import torch


def token_errors(log_probs, targets):
    pred = log_probs.argmax(-1)[:, : targets.size(1)]
    return (pred != targets).float().mean()


class EpochStats:
    def __init__(self):
        self.loss, self.errors, self.batches = 0.0, 0.0, 0

    def add(self, loss, errors):
        self.loss = self.loss + loss
        self.errors = self.errors + errors
        self.batches += 1

    def summary(self):
        return {"loss": float(self.loss) / self.batches, "errors": float(self.errors) / self.batches}
