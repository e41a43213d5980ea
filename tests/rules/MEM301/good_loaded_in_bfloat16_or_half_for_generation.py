# loaded in bfloat16 or half for generation only, while another model is trained

import torch
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification

judge = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.float16).eval()
student = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased")
optimizer = torch.optim.AdamW(student.parameters(), lr=1e-5)
for ids in torch.randint(0, 100, (10, 2, 8)):
    text = judge.generate(ids, max_new_tokens=4)
    loss = student(text, labels=torch.zeros(2, dtype=torch.long)).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
