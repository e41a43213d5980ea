import torch
from transformers import TrainerCallback, Trainer


class Cb(TrainerCallback):
    def on_step_end(self, args, state, control, **kw):
        torch.cuda.empty_cache()  #! MEM501


class MyTrainer(Trainer):
    def training_step(self, model, inputs, *a):
        loss = super().training_step(model, inputs, *a)
        torch.cuda.empty_cache()  #! MEM501
        return loss
