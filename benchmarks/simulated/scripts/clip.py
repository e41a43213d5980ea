"""CLIP of transformers from its configuration: contrastive loss, gradient checkpointing, AdamW in bfloat16 weights."""

import torch
from transformers import CLIPConfig, CLIPModel

torch.manual_seed(0)
model = CLIPModel(CLIPConfig()).to("cuda", torch.bfloat16)
model.gradient_checkpointing_enable()
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for _ in range(4):
    pixels = torch.randn(64, 3, 224, 224, dtype=torch.bfloat16).to("cuda")
    words = torch.randint(1, 49000, (64, 77)).to("cuda")
    words[:, -1] = 49407
    loss = model(input_ids=words, pixel_values=pixels, return_loss=True).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    print(loss.item())
