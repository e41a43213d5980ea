# Hugging Face model whose output has no name: the ModelOutput with the logits is dropped once its loss is
# read

import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("sshleifer/tiny-gpt2")
opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
for ids in torch.randint(0, 1000, (4, 2, 16)):
    loss = model(ids, labels=ids).loss
    loss.backward()
    opt.step()
    opt.zero_grad()
