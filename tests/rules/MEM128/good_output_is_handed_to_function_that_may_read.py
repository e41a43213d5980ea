# the output is handed to a function that may read everything

import torch
from transformers import AutoModel

from project.losses import distill

model = AutoModel.from_pretrained("prajjwal1/bert-tiny")
opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
for ids in torch.randint(0, 900, (5, 4, 16)):
    out = model(ids, output_attentions=True)
    distill(out, ids).backward()
    opt.step()
    opt.zero_grad()
