import os

import torch
from torch import nn

init_from = "resume"
device = "cuda"
model = nn.TransformerEncoder(nn.TransformerEncoderLayer(768, 12, batch_first=True), 12)
iter_num, best_val = 0, 1e9
checkpoint = None
if init_from == "resume":
    checkpoint = torch.load(os.path.join("out", "ckpt.pt"), map_location="cpu", mmap=True)
    model.load_state_dict(checkpoint["model"])
    iter_num = checkpoint["iter_num"]
model.to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95))
if init_from == "resume":
    optimizer.load_state_dict(checkpoint["optimizer"])
checkpoint = None

while iter_num < 1000:
    loss = model(torch.randn(8, 128, 768, device=device)).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    iter_num += 1
