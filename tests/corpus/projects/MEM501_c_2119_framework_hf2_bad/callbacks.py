import torch
from transformers import TrainerCallback


class Tidy(TrainerCallback):
    def on_step_end(self, args, state, control, **kw):
        torch.cuda.empty_cache()  #! MEM501
