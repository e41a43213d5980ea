# generate() runs under no_grad by itself, and token ids are integers

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

tok = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2")
answers = []
for prompt in ["a", "b", "c"]:
    ids = tok(prompt, return_tensors="pt").input_ids
    answers.append(model.generate(ids, max_new_tokens=20))
print([tok.decode(a[0]) for a in answers])
