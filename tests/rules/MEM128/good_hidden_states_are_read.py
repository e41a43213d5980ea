# the hidden states are read

import torch
from transformers import AutoModel

model = AutoModel.from_pretrained("prajjwal1/bert-tiny")
opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
for ids in torch.randint(0, 900, (5, 4, 16)):
    out = model(ids, output_hidden_states=True)
    loss = torch.stack(out.hidden_states[-4:]).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
