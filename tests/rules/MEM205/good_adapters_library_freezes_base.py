# adapters: the library freezes the base

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

base = AutoModelForCausalLM.from_pretrained("gpt2")
model = get_peft_model(base, LoraConfig(r=8))
optimizer = torch.optim.AdamW(model.lm_head.parameters(), lr=1e-4)
for ids in torch.randint(0, 100, (5, 2, 16)):
    loss = model(input_ids=ids, labels=ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
