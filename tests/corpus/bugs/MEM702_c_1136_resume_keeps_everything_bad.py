"""nanoGPT-like: OOM only when resuming, never from scratch."""
import os

import torch
from torch import nn

init_from = "resume"
out_dir = "out"
device = "cuda"
model = nn.TransformerEncoder(nn.TransformerEncoderLayer(768, 12, batch_first=True), 12)
iter_num, best_val = 0, 1e9
if init_from == "resume":
    ckpt_path = os.path.join(out_dir, "ckpt.pt")
    checkpoint = torch.load(ckpt_path, map_location=device)  #! MEM702
    state_dict = checkpoint["model"]
    for k in list(state_dict):
        if k.startswith("_orig_mod."):
            state_dict[k[len("_orig_mod."):]] = state_dict.pop(k)
    model.load_state_dict(state_dict)
    iter_num = checkpoint["iter_num"]
    best_val = checkpoint["best_val_loss"]
model.to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95))
if init_from == "resume":
    optimizer.load_state_dict(checkpoint["optimizer"])  #= MEM702

while iter_num < 1000:
    x = torch.randn(8, 128, 768, device=device)
    loss = model(x).pow(2).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    iter_num += 1
