# moved to the CPU as it is stored

import torch
from accelerate import Accelerator


def validate(model, dataloader):
    accelerator = Accelerator()
    model, dataloader = accelerator.prepare(model, dataloader)
    kept = []
    with torch.no_grad():
        for batch in dataloader:
            kept.append(accelerator.gather(model(batch)).cpu())
            kept.extend(accelerator.gather_for_metrics(model(batch)).cpu().numpy())
    return kept
