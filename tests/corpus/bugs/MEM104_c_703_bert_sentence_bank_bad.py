"""Sentence vectors of a corpus with a BERT encoder on the CPU."""
import torch
from transformers import AutoModel, AutoTokenizer


class SentenceBank:
    def __init__(self, name="bert-base-uncased"):
        self.tok = AutoTokenizer.from_pretrained(name)
        self.bert = AutoModel.from_pretrained(name).eval()
        self.rows = []

    @torch.no_grad()
    def add(self, texts, batch=32):
        for start in range(0, len(texts), batch):
            enc = self.tok(texts[start:start + batch], padding=True, truncation=True, return_tensors="pt")
            hidden = self.bert(**enc).last_hidden_state
            self.rows.append(hidden[:, 0])  #! MEM104
        return self

    def matrix(self):
        return torch.cat(self.rows)


def main():
    lines = [line.strip() for line in open("corpus.txt", encoding="utf-8")]
    bank = SentenceBank().add(lines)
    torch.save(bank.matrix(), "bank.pt")


main()
