import deepspeed
import torch
from transformers import AutoModelForCausalLM

CONFIG = {"train_batch_size": 32, "fp16": {"enabled": True}, "zero_optimization": {"stage": 2},
          "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}}}


def main(loader):
    model = AutoModelForCausalLM.from_pretrained("facebook/opt-1.3b")
    model.half()
    engine, _, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=CONFIG)
    for step, batch in enumerate(loader):
        loss = engine(**{k: v.cuda() for k, v in batch.items()}).loss
        engine.backward(loss)
        engine.step()
        if step % 10 == 0:
            print(step, loss.item())
