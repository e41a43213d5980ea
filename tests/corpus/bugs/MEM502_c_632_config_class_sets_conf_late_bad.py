import os

import lightning as L
import torch


class Config:
    def __init__(self, fragmentation_fix=True):
        if fragmentation_fix:
            os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"  #! MEM502
        self.lr = 1e-3


class Model(L.LightningModule):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.net = torch.nn.Linear(8, 8)


def main():
    model = Model(Config())
    L.Trainer(max_epochs=1).fit(model)


if __name__ == "__main__":
    main()
