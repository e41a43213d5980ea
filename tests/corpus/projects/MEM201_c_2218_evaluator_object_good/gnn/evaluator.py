import torch


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.best, self.best_state = 0.0, None

    def accuracy(self, logits, labels):
        return (logits.argmax(-1) == labels).float().mean().item()

    def __call__(self, batches):
        self.model.eval()
        scores = []
        with torch.no_grad():
            for x, adj, y in batches:
                scores.append(self.accuracy(self.model(x, adj), y))
        self.model.train()
        return sum(scores) / len(scores)
