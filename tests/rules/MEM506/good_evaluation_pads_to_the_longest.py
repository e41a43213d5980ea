# only the prediction pads to the longest text, under no_grad; the training has one length

import torch


def train(model, tokenizer, loader, opt):
    for texts in loader:
        batch = tokenizer(texts, padding="max_length", return_tensors="pt").to("cuda")
        opt.zero_grad()
        model(**batch).loss.backward()
        opt.step()


@torch.no_grad()
def predict(model, tokenizer, texts):
    batch = tokenizer(texts, padding=True, return_tensors="pt").to("cuda")
    return model(**batch).logits.argmax(-1)
