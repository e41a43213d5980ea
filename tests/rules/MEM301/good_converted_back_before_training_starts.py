# converted back before training starts

import torch
from transformers import AutoModel

model = AutoModel.from_pretrained("bert-base-uncased", torch_dtype=torch.float16)
model = model.float()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for ids in torch.randint(0, 100, (10, 2, 8)):
    optimizer.zero_grad()
    model(ids).last_hidden_state.pow(2).mean().backward()
    optimizer.step()
