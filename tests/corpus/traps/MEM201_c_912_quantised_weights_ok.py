"""Quantised weights are made on the CPU; embeddings are wanted for their mean alone."""
import os

import torch
from transformers import AutoModel, AutoTokenizer


class Classifier:
    def __init__(self, folder, use_cuda):
        self.model = AutoModel.from_pretrained(folder)
        quantized_weights = torch.load(os.path.join(folder, "pytorch_model.bin"))
        self.model.load_state_dict(quantized_weights)
        self.head = torch.nn.Linear(4, 2)
        self.head.load_state_dict(torch.load(f"{folder}/head_int8.pt"))
        self.device = torch.device("cuda" if use_cuda else "cpu")


class Embedder:
    def __init__(self, name):
        self.tokenizer = AutoTokenizer.from_pretrained(name)
        self.model = AutoModel.from_pretrained(name).cuda().eval()

    @torch.no_grad()
    def direction(self, prompts, batch_size=16):
        embeds = []
        for i in range(0, len(prompts), batch_size):
            ids = self.tokenizer(prompts[i : i + batch_size], return_tensors="pt").input_ids
            embeds.append(self.model(ids.to("cuda"))[0])
        return torch.cat(embeds, dim=0).mean(0)[None]

    @torch.no_grad()
    def condition(self, images, count):
        embeds = []
        for image in images:
            pixels = self.tokenizer(image, return_tensors="pt").pixel_values
            embeds.append(self.model(pixels.to("cuda")).image_embeds)
        embeds = torch.cat(embeds, dim=1)
        embeds = embeds.repeat(count, 1, 1)
        return embeds, torch.zeros_like(embeds)
