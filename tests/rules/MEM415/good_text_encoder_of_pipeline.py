# The text encoder was trained with 77 positions, all of which condition the picture.

import torch
from diffusers import UNet2DConditionModel
from transformers import CLIPTokenizer

tokenizer = CLIPTokenizer.from_pretrained("openai/clip-vit-large-patch14")
unet = UNet2DConditionModel.from_pretrained("model")


def collate_fn(examples):
    texts = [e["text"] for e in examples]
    length = tokenizer.model_max_length
    ids = tokenizer(texts, padding="max_length", max_length=length, truncation=True).input_ids
    return torch.tensor(ids)
