import gc

import lightning as L
import torch
from fastai.callback.core import Callback
from ignite.engine import Events, create_supervised_trainer
from transformers import TrainerCallback


class Flush(L.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        torch.cuda.empty_cache()

    def on_validation_start(self, trainer, pl_module):
        gc.collect()
        torch.cuda.empty_cache()


class HFFlush(TrainerCallback):
    def on_epoch_end(self, args, state, control, **kwargs):
        gc.collect()
        torch.cuda.empty_cache()

    def on_evaluate(self, args, state, control, **kwargs):
        torch.cuda.empty_cache()

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step % 1000 == 0:
            torch.cuda.empty_cache()


class FastFlush(Callback):
    def after_epoch(self):
        torch.cuda.empty_cache()

    def after_cancel_batch(self):
        torch.cuda.empty_cache()


def ignite_run(net, opt, loader):
    trainer = create_supervised_trainer(net, opt, torch.nn.MSELoss(), device="cuda")

    @trainer.on(Events.EPOCH_COMPLETED)
    def flush(engine):
        torch.cuda.empty_cache()

    trainer.add_event_handler(Events.COMPLETED, lambda e: torch.cuda.empty_cache())
    trainer.run(loader, max_epochs=3)
