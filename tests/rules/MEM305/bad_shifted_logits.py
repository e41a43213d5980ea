# The usual loss of a language model, in a training loop; the copy gets a name.

import torch
from torch import nn
from torch.nn import CrossEntropyLoss


def train(model, loader, optimizer, config):
    model.to(torch.bfloat16)
    loss_fct = CrossEntropyLoss()
    for batch in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(batch["input_ids"].cuda())
        logits = out.logits
        shift_logits = logits[..., :-1, :].float().contiguous()  #! MEM305 advice
        shift_labels = batch["input_ids"][..., 1:].contiguous()
        loss = loss_fct(shift_logits.view(-1, config.vocab_size), shift_labels.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
