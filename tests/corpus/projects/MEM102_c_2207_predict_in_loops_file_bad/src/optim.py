import torch
from transformers import get_linear_schedule_with_warmup


def build(model, cfg, steps):
    opt = torch.optim.AdamW(model.classifier.parameters(), lr=cfg.lr)  #! MEM205
    return opt, get_linear_schedule_with_warmup(opt, steps // 10, steps)
