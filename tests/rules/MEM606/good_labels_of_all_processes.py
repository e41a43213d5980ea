# labels are a number for each sample; what the model gives is moved as it is gathered

import torch
from accelerate import Accelerator

accelerator = Accelerator()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    rows, labels, found = [], [], []
    for batch in loader:
        target = batch.pop("label")
        logits = model(**batch).logits
        rows.append(accelerator.gather_for_metrics(logits).cpu())
        labels.append(accelerator.gather_for_metrics(target))
        found.append(accelerator.gather(batch["labels"]))
    return torch.cat(rows), torch.cat(labels), torch.cat(found)
