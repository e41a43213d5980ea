# an option, not the version of torch, decides whether the evaluation runs under no_grad

import torch


class Trainer:
    def __init__(self, model, valid_loader, with_graph=False):
        self.model, self.valid_loader, self.with_graph = model, valid_loader, with_graph

    def validate(self):
        self.model.eval()
        losses = []
        for batch in self.valid_loader:
            if self.with_graph:
                found = self.model(batch)
            else:
                with torch.no_grad():
                    found = self.model(batch)
            losses.append(found)  #! MEM102 error
        return sum(float(loss.mean()) for loss in losses) / len(losses)
