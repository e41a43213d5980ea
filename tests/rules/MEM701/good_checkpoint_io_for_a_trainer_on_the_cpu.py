# the trainer runs on the CPU

import lightning.pytorch as pl
import torch
from lightning.pytorch.plugins import CheckpointIO


class Plain(CheckpointIO):
    def save_checkpoint(self, checkpoint, path, storage_options=None):
        torch.save(checkpoint, path)

    def load_checkpoint(self, path, map_location=None):
        return torch.load(path)


trainer = pl.Trainer(accelerator="cpu", plugins=[Plain()])
