# outputs are read by their position

import torch
from transformers import AutoModel

model = AutoModel.from_pretrained("prajjwal1/bert-tiny", output_attentions=True, return_dict=False)
opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
for ids in torch.randint(0, 900, (5, 4, 16)):
    out = model(ids)
    loss = out[0].mean() + out[2][-1].mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
