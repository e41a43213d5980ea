# a causal language model evaluated with compute_metrics, in a flat script

import numpy as np
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("gpt2")
args = TrainingArguments("out", per_device_eval_batch_size=8, eval_strategy="epoch", eval_accumulation_steps=16)


def accuracy(prediction):
    ids = np.argmax(prediction.predictions, axis=-1)
    return {"accuracy": float((ids == prediction.label_ids).mean())}


trainer = Trainer(
    model=model,
    args=args,
    compute_metrics=accuracy,
)
trainer.train()
