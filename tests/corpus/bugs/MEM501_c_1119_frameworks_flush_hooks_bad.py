"""The same habit in the hooks of three frameworks."""
import gc

import lightning as L
import torch
from fastai.callback.core import Callback
from ignite.engine import Events, create_supervised_trainer
from transformers import Trainer, TrainerCallback


class Flush(L.Callback):
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        torch.cuda.empty_cache()  #! MEM501


class Lit(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(8, 1)

    def training_step(self, batch, batch_idx):
        loss = self.net(batch[0]).mean()
        torch.cuda.empty_cache()  #! MEM501
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


class HFFlush(TrainerCallback):
    def on_step_end(self, args, state, control, **kwargs):
        gc.collect()  #! MEM501
        torch.cuda.empty_cache()  #! MEM501


class FastFlush(Callback):
    def after_batch(self):
        torch.cuda.empty_cache()  #! MEM501


class SlowTrainer(Trainer):
    def training_step(self, model, inputs, num_items_in_batch=None):
        loss = super().training_step(model, inputs, num_items_in_batch)
        torch.cuda.empty_cache()  #! MEM501
        return loss


def ignite_run(net, opt, loader):
    trainer = create_supervised_trainer(net, opt, torch.nn.MSELoss(), device="cuda")

    @trainer.on(Events.ITERATION_COMPLETED)
    def flush(engine):
        torch.cuda.empty_cache()  #! MEM501

    trainer.run(loader, max_epochs=3)
