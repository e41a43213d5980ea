# CUDA tensors go to other processes, which expandable segments do not allow

import torch
import torch.multiprocessing as mp


def train(model, tokenizer, loader, opt, queue):
    mp.set_start_method("spawn")
    for texts in loader:
        batch = tokenizer(texts, padding=True, return_tensors="pt").to("cuda")
        opt.zero_grad()
        loss = model(**batch).loss
        loss.backward()
        opt.step()
        queue.put(loss.detach())
