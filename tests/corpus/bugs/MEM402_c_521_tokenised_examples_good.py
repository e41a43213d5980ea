import pickle

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup


class InputFeatures:
    def __init__(self, ids, mask, label):
        self.ids, self.mask, self.label = ids, mask, label


def convert(lines, tokenizer):
    features = []
    for line in lines:
        text, label = line.split("\t")
        enc = tokenizer(text, truncation=True, max_length=128)
        features.append(InputFeatures(enc["input_ids"], enc["attention_mask"], int(label)))
    return features


class TextSet(Dataset):
    def __init__(self, file, tokenizer, cache=None):
        if cache is not None:
            with open(cache, "rb") as handle:
                self.pack(pickle.load(handle))
        else:
            with open(file, encoding="utf-8") as handle:
                lines = handle.read().split("\n")
            self.pack(convert(lines, tokenizer))

    def pack(self, features):
        self.flat = torch.tensor([t for f in features for t in f.ids])
        self.ends = torch.tensor([0] + [len(f.ids) for f in features]).cumsum(0)
        self.labels = torch.tensor([f.label for f in features])

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        ids = self.flat[self.ends[i] : self.ends[i + 1]]
        return ids, torch.ones_like(ids), self.labels[i]


class Runner:
    def __init__(self, args):
        self.args = args
        self.tok = AutoTokenizer.from_pretrained(args.model)
        self.model = AutoModelForSequenceClassification.from_pretrained(args.model)

    def get_loader(self, file):
        workers = 4 if torch.cuda.is_available() else 0
        return DataLoader(TextSet(file, self.tok), batch_size=1, shuffle=True, num_workers=workers)

    def train(self):
        loader = self.get_loader(self.args.train_file)
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=2e-5)
        scheduler = get_linear_schedule_with_warmup(optimizer, 100, len(loader))
        for ids, mask, label in loader:
            loss = self.model(input_ids=ids, attention_mask=mask, labels=label).loss
            loss.backward()
            optimizer.step()
            scheduler.step()
            self.model.zero_grad()
