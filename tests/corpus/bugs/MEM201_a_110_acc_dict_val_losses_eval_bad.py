from collections import defaultdict
import torch


class Evaluator:
    def __init__(self, model, losses, device):
        self.model, self.losses, self.device = model, losses, device

    def run(self, loader):
        self.model.eval()
        totals = defaultdict(float)
        for batch in loader:
            img = batch["img"].to(self.device)
            pred = self.model(img)  #! MEM201
            for name, fn in self.losses.items():
                totals[name] += fn(pred, batch[name].to(self.device))  #! MEM101
        return {k: float(v) / len(loader) for k, v in totals.items()}
