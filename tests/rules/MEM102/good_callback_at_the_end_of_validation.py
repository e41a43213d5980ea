# Lightning runs the hooks of validation under no_grad, those of callbacks included

import torch
from lightning.pytorch import Callback, LightningModule, Trainer


class Examples(Callback):
    def __init__(self, loader):
        self.loader = loader

    def on_validation_epoch_end(self, trainer: Trainer, model: LightningModule):
        outputs = []
        for signal, target in self.loader:
            output = model(signal.to(model.device))
            outputs.append(output.to(target.device))
        trainer.logger.experiment.add_audio("examples", torch.cat(outputs), model.current_epoch)
