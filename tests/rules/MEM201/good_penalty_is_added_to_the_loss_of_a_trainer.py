# the trainer that calls the plugin back-propagates what is added to its loss

import torch


class Distill:
    def __init__(self, weight):
        self.weight, self.former = weight, None

    def compare(self, model, x):
        model.eval()
        self.former.eval()
        now = model.get_features(x)
        with torch.no_grad():
            then = self.former.get_features(x)
        return torch.nn.functional.mse_loss(now, then)

    def before_backward(self, trainer):
        penalty = self.weight * self.compare(trainer.model, trainer.x)
        trainer.loss += penalty
