# Hugging Face causal model, the output kept for its loss

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

name = "sshleifer/tiny-gpt2"
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModelForCausalLM.from_pretrained(name).cuda()
adam = torch.optim.AdamW(model.parameters(), lr=5e-5)
texts = ["one line", "another line"]

model.train()
for text in texts:
    batch = tokenizer(text, return_tensors="pt").to("cuda")
    outputs = model(**batch, labels=batch["input_ids"])
    loss = outputs.loss
    del outputs
    loss.backward()
    adam.step()
    adam.zero_grad()
