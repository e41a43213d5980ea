# the loop goes through networks, not through data: what it keeps are the parts of one result

import functools

import torch
from datasets import load_dataset
from transformers import AutoTokenizer, CLIPTextModel


def encode(batch, text_encoders, tokenizers):
    parts = []
    captions = list(batch["text"])
    with torch.no_grad():
        for tokenizer, text_encoder in zip(tokenizers, text_encoders):
            ids = tokenizer(captions, padding="max_length", return_tensors="pt").input_ids
            embeds = text_encoder(ids.to(text_encoder.device), output_hidden_states=True)
            pooled = embeds[0]
            embeds = embeds.hidden_states[-2]
            rows, length, _ = embeds.shape
            embeds = embeds.view(rows, length, -1)
            parts.append(embeds)
    embeds = torch.concat(parts, dim=-1)
    return {"embeds": embeds.cpu(), "pooled": pooled.cpu()}


def vote(batch, networks):
    votes = []
    x = torch.stack(batch["pixels"])
    with torch.no_grad():
        for network in networks:
            votes.append(network(x.to(network.device))[0])
    return {"votes": torch.concat(votes, dim=-1).cpu()}


def main():
    first = CLIPTextModel.from_pretrained("first")
    second = CLIPTextModel.from_pretrained("second")
    words = [AutoTokenizer.from_pretrained("first"), AutoTokenizer.from_pretrained("second")]
    first.to("cuda")
    second.to("cuda")
    work = functools.partial(encode, text_encoders=[first, second], tokenizers=words)
    data = load_dataset("captions", split="train")
    data = data.map(work, batched=True)
    data = data.map(functools.partial(vote, networks=[first, second]), batched=True)


main()
