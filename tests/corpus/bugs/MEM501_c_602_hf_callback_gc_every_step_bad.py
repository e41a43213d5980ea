import gc

import torch
from transformers import AutoModelForCausalLM, Trainer, TrainerCallback, TrainingArguments


class CleanCallback(TrainerCallback):
    def on_step_end(self, args, state, control, **kwargs):
        gc.collect()  #! MEM501
        torch.cuda.empty_cache()  #! MEM501

    def on_epoch_end(self, args, state, control, **kwargs):
        gc.collect()
        torch.cuda.empty_cache()


model = AutoModelForCausalLM.from_pretrained("gpt2")
train_data = torch.load("tokens.pt")
Trainer(model, TrainingArguments("out"), train_dataset=train_data, callbacks=[CleanCallback()]).train()
