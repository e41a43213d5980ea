"""Whisper (small) of transformers from its configuration, float16 with a GradScaler, encoder frozen."""

import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration

torch.manual_seed(0)
config = WhisperConfig(
    d_model=768, encoder_layers=12, decoder_layers=12, encoder_attention_heads=12,
    decoder_attention_heads=12, encoder_ffn_dim=3072, decoder_ffn_dim=3072,
)  # fmt: skip
model = WhisperForConditionalGeneration(config).to("cuda")
model.freeze_encoder()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-5)
scaler = torch.amp.GradScaler("cuda")
model.train()
for _ in range(4):
    sound = torch.randn(8, 80, 3000).to("cuda")
    labels = torch.randint(0, 50000, (8, 100)).to("cuda")
    with torch.amp.autocast("cuda"):
        loss = model(input_features=sound, labels=labels).loss
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    print(loss.item())
