# pretrained language model loaded in half and fine-tuned as a whole

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.float16).cuda()  #! MEM301 error
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
model.train()
for text in open("corpus.txt"):
    batch = tokenizer(text, return_tensors="pt").to("cuda")
    loss = model(**batch, labels=batch["input_ids"]).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
