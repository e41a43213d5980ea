# what reads the checkpoints for Lightning puts them into host memory, as its own class does

import lightning.pytorch as pl
import torch
from lightning.pytorch.plugins import CheckpointIO


class Folders(CheckpointIO):
    def save_checkpoint(self, checkpoint, path, storage_options=None):
        torch.save(checkpoint, path)

    def load_checkpoint(self, path, map_location=lambda storage, location: storage):
        return torch.load(path, map_location=map_location)


class Table(dict):
    def load_checkpoint(self, path):
        return torch.load(path)


trainer = pl.Trainer(accelerator="auto", plugins=[Folders()])
