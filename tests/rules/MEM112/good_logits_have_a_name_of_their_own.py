# the logits have a name of their own, which a second loss needs: deleting the output frees nothing

import torch
import torch.nn.functional as F
from transformers import AutoModelForCausalLM


def distill(student, teacher, loader, optimizer, alpha=0.5):
    for batch in loader:
        with torch.no_grad():
            wanted = teacher(**batch).logits
        output = student(**batch)
        logits = output.logits
        size = min(logits.shape[-1], wanted.shape[-1])
        soft = F.kl_div(F.log_softmax(logits[..., :size], -1), F.softmax(wanted[..., :size], -1))
        loss = alpha * output.loss + (1 - alpha) * soft
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(loader):
    student = AutoModelForCausalLM.from_pretrained("small/model").cuda()
    teacher = AutoModelForCausalLM.from_pretrained("large/model").cuda()
    distill(student, teacher, loader, torch.optim.AdamW(student.parameters()))
