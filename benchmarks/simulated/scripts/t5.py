"""T5 of transformers from its configuration, bfloat16 autocast, gradient accumulation over two batches."""

import torch
from transformers import T5Config, T5ForConditionalGeneration

BATCH, SOURCE, TARGET = 16, 256, 64

torch.manual_seed(0)
model = T5ForConditionalGeneration(
    T5Config(d_model=768, d_kv=64, d_ff=3072, num_layers=12, num_heads=12, decoder_start_token_id=0)
).cuda()
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(6):
    words = torch.randint(2, 32000, (BATCH, SOURCE), device="cuda")
    mask = torch.ones_like(words)
    mask[:, 200:] = 0
    labels = torch.randint(2, 32000, (BATCH, TARGET), device="cuda")
    labels[:, 50:] = -100
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=words, attention_mask=mask, labels=labels).loss / 2
    loss.backward()
    if step % 2:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())
