# dictionary of predictions, batch moved by a comprehension

import torch
from transformers import AutoModelForTokenClassification


def predict(checkpoint, dataloader, device):
    model = AutoModelForTokenClassification.from_pretrained(checkpoint).to(device)
    model.eval()
    outputs = []
    for step, batch in enumerate(dataloader):
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.no_grad():
            out = model(**batch)
        outputs.append({"step": step, "logits": out.logits})  #! MEM103 warning
    return outputs
