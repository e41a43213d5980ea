# the Hugging Face Trainer, generate() and pipelines switch recording off

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments

tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2")
trainer = Trainer(model=model, args=TrainingArguments("out"))
print(trainer.evaluate())
model.eval()
for prompt in ["one", "two"]:
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    print(tokenizer.decode(model.generate(ids, max_new_tokens=5)[0]))
