# moved to the CPU every few batches

from transformers import AutoModelForCausalLM, Trainer, TrainingArguments


def metrics(output):
    return {}


args = TrainingArguments("out", eval_accumulation_steps=4)
model = AutoModelForCausalLM.from_pretrained("gpt2")
trainer = Trainer(model, args, compute_metrics=metrics)
