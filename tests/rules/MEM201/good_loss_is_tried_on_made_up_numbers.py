# a loss is called on made-up predictions to see what it says

import torch
from losses import BCE


class DisjointLoss(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base

    def forward(self, x, y):
        return self.base(x, y)


if __name__ == "__main__":
    loss = DisjointLoss(BCE())
    random_preds = torch.randn(10, 997)
    random_labels = torch.randint(0, 2, (10, 997))
    for how in ["sum", "max", "mean"]:
        loss.how = how
        l_ = loss(random_preds, random_labels)
        print(f"{how}:", l_)
