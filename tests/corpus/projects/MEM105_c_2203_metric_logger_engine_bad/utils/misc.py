import os

import torch


def collate(batch):
    return torch.stack([b[0] for b in batch]), [b[1] for b in batch]


def is_main_process():
    return int(os.environ.get("RANK", 0)) == 0
