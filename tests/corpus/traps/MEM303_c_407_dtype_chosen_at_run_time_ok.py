from contextlib import nullcontext

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
dtype = "bfloat16" if torch.cuda.is_available() and torch.cuda.is_bf16_supported() else "float16"
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]
ctx = nullcontext() if device == "cpu" else torch.amp.autocast(device_type=device, dtype=ptdtype)
scaler = torch.amp.GradScaler("cuda", enabled=(dtype == "float16"))
model = nn.Linear(64, 64).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
grad_clip, micro_steps = 1.0, 4
for it in range(20):
    for micro in range(micro_steps):
        x = torch.randn(8, 64, device=device)
        with ctx:
            loss = (model(x) - x).square().mean() / micro_steps
        scaler.scale(loss).backward()
    if grad_clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
