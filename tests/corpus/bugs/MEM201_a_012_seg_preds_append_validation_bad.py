import numpy as np
import torch
from sklearn.metrics import average_precision_score


class Evaluator:
    def __init__(self, model, device):
        self.model = model
        self.device = device

    def evaluate(self, loader):
        self.model.eval()
        all_logits = []
        all_labels = []
        for step, (img, label, _) in enumerate(loader):
            img = img.to(self.device)
            logits = self.model(img)  #! MEM201
            all_logits.append(logits)  #! MEM102
            all_labels.append(label)
        logits = torch.cat(all_logits, dim=0)
        labels = torch.cat(all_labels, dim=0)
        prob = torch.sigmoid(logits).detach().cpu().numpy()
        return average_precision_score(labels.numpy(), prob, average="macro")


def main(cfg, model, loaders):
    evaluator = Evaluator(model, "cuda")
    best = 0
    for epoch in range(cfg.epochs):
        score = evaluator.evaluate(loaders["val"])
        best = max(score, best)
        print("epoch {} mAP {:.3f} best {:.3f}".format(epoch, score, best))
