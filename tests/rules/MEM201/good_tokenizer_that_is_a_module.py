# a module that turns text into numbers has no weights, whatever its parts are made of

import torch
import torchtext


class Tokenizer(torch.nn.Module):
    def __init__(self, path):
        super().__init__()
        self.tokenizer = torchtext.transforms.BERTTokenizer(vocab_path=path)

    def forward(self, text):
        return self.tokenizer(text)


SAMPLE_INPUTS = ["a word", "two words"]


def agrees(path, reference):
    tokenizer = Tokenizer(path)
    for sample_input in SAMPLE_INPUTS:
        wanted = reference.encode(sample_input)
        found = tokenizer(sample_input)
        if wanted != found:
            print(f"wanted: {wanted}, found: {found}")
            break
