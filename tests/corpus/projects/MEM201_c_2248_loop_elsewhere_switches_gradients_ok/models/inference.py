from torch import nn


class Entailment(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.head = nn.Linear(width, 3)

    def forward(self, batch):
        return {"probs": self.head(batch["x"]).softmax(-1)}

    def test_performance(self, loader, dump_file=None):
        hits = 0
        for batch in loader:
            out = self.forward(batch)
            hits += int(out["probs"].argmax(1).eq(batch["y"]).sum())
        return hits
