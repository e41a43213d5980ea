# An item takes one entry, by its own key, of a dictionary with one for each row.

import csv

import torch
from torch.utils.data import DataLoader, Dataset


class Texts(Dataset):
    def __init__(self, path):
        self.texts = {}  #! MEM402 warning
        for row in csv.DictReader(open(path)):
            self.texts[row["id"]] = {"title": row["title"], "body": row["body"]}

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        entry = self.texts[str(i)]
        return torch.tensor([len(entry["title"]), len(entry["body"])])



for batch in DataLoader(Texts("texts.csv"), batch_size=64, num_workers=4):
    print(batch)
