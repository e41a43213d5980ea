from torch import nn


class Translator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = nn.Linear(width, width)
        self.head = nn.Linear(width, 100)

    def forward(self, batch):
        return {"loss": nn.functional.cross_entropy(self.head(self.encoder(batch["x"])), batch["y"]), "n": len(batch["y"])}

    def test_performance(self, loader, dump_file=None):
        total = 0.0
        for batch in loader:
            out = self.forward(batch)  #! MEM201
            total += out["loss"].item() * out["n"]
        return total
