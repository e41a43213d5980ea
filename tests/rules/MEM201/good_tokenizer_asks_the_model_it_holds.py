# The model that a tokenizer holds encodes text

import bpelib
import torch


class WordTokenizer:
    def __init__(self, path):
        self.model = bpelib.Encoding(path)

    def encode(self, text):
        tokens = []
        for part in text.split("\n"):
            tokens.extend(self.model.encode(part))
        return tokens


class Prompts:
    def __init__(self, path):
        self.model = bpelib.Encoding(path)

    def lengths(self, texts):
        return [len(self.model.encode(text, disallowed_special=())) for text in texts]


def main():
    net = torch.jit.load("m.pt").eval()
    tokens = WordTokenizer("words.bpe").encode("hello")
    print(Prompts("words.bpe").lengths(["hello"]))
    with torch.no_grad():
        print(net(torch.tensor([tokens])))


main()
