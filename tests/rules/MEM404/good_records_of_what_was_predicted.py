# one dictionary for each sample, of its text, the predicted label and a score: results, not the batches

import torch
from torch.utils.data import DataLoader
from tqdm import tqdm


class Tagger:
    def __init__(self, model, names, dataset, device):
        self.model, self.names, self.device = model, names, device
        self.loader = DataLoader(dataset, batch_size=16)

    def predict(self):
        found = []
        self.model.eval()
        with torch.no_grad():
            for batch in tqdm(self.loader):
                scores = torch.softmax(self.model(batch["ids"].to(self.device)), dim=-1)
                for i, row in enumerate(scores):
                    found.append({
                        "text": batch["text"][i],
                        "expected": batch["label"][i],
                        "label": self.names[int(row.argmax())],
                        "score": float(row.max()),
                    })
        return found


def retrieve(retriever, loader: DataLoader):
    found, pairs = [], []
    for batch in loader:
        for i, rows in enumerate(retriever.search(batch["question"])):
            gold = batch["positives"][i]
            found.append(dict(sample=batch["id"][i], gold=gold, scores=[row.score for row in rows]))
            pairs.append((batch["id"][i], gold, len(rows)))
    return found, pairs
