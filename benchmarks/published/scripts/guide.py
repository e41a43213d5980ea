"""BERT-large on random tokens with a Trainer's defaults, as in Hugging Face's guide to training on one GPU.

Gradients were set to zero, not dropped, and the norm was taken tensor by tensor (torch 1.10).
"""

import argparse

import torch
import torch_1_10  # noqa: F401
from transformers import AdamW, BertConfig, BertForSequenceClassification
from transformers.optimization import Adafactor

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=4)
parser.add_argument("--accumulate", type=int, default=1)
parser.add_argument("--checkpoint", action="store_true")
parser.add_argument("--half", action="store_true")
parser.add_argument("--optimizer", choices=("adamw", "adafactor"), default="adamw")
options = parser.parse_args()

config = BertConfig(
    vocab_size=30522, hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
)
torch.ones((1, 1)).to("cuda")
model = BertForSequenceClassification(config).to("cuda")
if options.checkpoint:
    model.gradient_checkpointing_enable()
model.train()
decayed = [p for n, p in model.named_parameters() if "bias" not in n and "LayerNorm" not in n]
others = [p for n, p in model.named_parameters() if "bias" in n or "LayerNorm" in n]
groups = [{"params": decayed, "weight_decay": 0.0}, {"params": others, "weight_decay": 0.0}]
if options.optimizer == "adamw":
    optimizer = AdamW(groups, lr=5e-5)
else:
    optimizer = Adafactor(groups, lr=5e-5, scale_parameter=False, relative_step=False)
scaler = torch.amp.GradScaler("cuda", enabled=options.half)
for _ in range(3):
    for _ in range(options.accumulate):
        batch = {
            "input_ids": torch.randint(100, 30000, (options.batch, 512)).cuda(),
            "labels": torch.zeros(options.batch, dtype=torch.long).cuda(),
        }
        with torch.autocast("cuda", torch.float16, enabled=options.half):
            loss = model(**batch).loss
        scaler.scale(loss / options.accumulate).backward()
        del loss
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)
    scaler.step(optimizer)
    scaler.update()
    model.zero_grad(set_to_none=False)
