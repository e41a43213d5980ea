# what reads the checkpoints for Lightning, which hands them to the networks and optimizers

import lightning.pytorch as pl
import torch
from lightning.pytorch.plugins import CheckpointIO
from lightning.pytorch.plugins.io import TorchCheckpointIO


class Folders(CheckpointIO):
    def save_checkpoint(self, checkpoint, path, storage_options=None):
        torch.save(checkpoint, path)

    def load_checkpoint(self, path, map_location=None):
        checkpoint = torch.load(path / "artifacts.ckpt")  #! MEM701 warning
        weights = torch.load(path / "pytorch_model.bin")  #! MEM701 warning
        checkpoint["state_dict"] = {"model." + key: value for key, value in weights.items()}
        return checkpoint


class Plain(TorchCheckpointIO):
    def load_checkpoint(self, path, map_location=None, weights_only=None):
        return torch.load(path)  #! MEM701 warning


trainer = pl.Trainer(accelerator="auto", plugins=[Folders()])
