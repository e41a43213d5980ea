# no compute_metrics, or None: evaluate looks at the loss only

from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("gpt2")
trainer = Trainer(model=model, args=TrainingArguments("out", eval_strategy="epoch"))
trainer.evaluate()
other = Trainer(model=model, args=TrainingArguments("out"), compute_metrics=None)
