# hooks of training keep gradients on: a whole loader in one, once an epoch, is much data

import pytorch_lightning as pl


class TestScore(pl.Callback):
    """Accuracy on a second test set after every epoch; its name makes it no unit test."""

    def __init__(self, loader):
        super().__init__()
        self.loader = loader

    def on_train_epoch_end(self, trainer, pl_module):
        right, total = 0, 0
        for image, label in self.loader:
            logits = pl_module(image.to(pl_module.device))  #! MEM201 warning
            right += (logits.argmax(-1).cpu() == label).sum().item()
            total += len(label)
        trainer.logger.log_metrics({"second/accuracy": right / total}, step=trainer.global_step)
