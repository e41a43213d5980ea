# a pipeline embeds the few prompts of a request and hands them on, on the device

import torch


@torch.no_grad()
def embed(tokenizer, text_encoder, prompts, device):
    found = []
    for prompt in prompts:
        ids = tokenizer(prompt, return_tensors="pt").input_ids.to(device)
        found.append(text_encoder(ids)[0])
    return torch.cat(found)
