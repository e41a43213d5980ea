import torch
from torch.utils.data import DataLoader, Dataset


class Tokens(Dataset):
    def __init__(self, docs, vocab, block):
        self.rows = []  #! MEM403
        for doc in docs:
            ids = [vocab.get(w, 0) for w in doc.split()]
            self.rows.append(ids[:block])  #= MEM403 #? MEM402

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return torch.tensor(self.rows[i])


class LM:
    def __init__(self, docs, vocab):
        self.data = Tokens(docs, vocab, 256)
        self.emb = torch.nn.Embedding(len(vocab), 64)
        self.head = torch.nn.Linear(64, len(vocab))
        self.opt = torch.optim.Adam([*self.emb.parameters(), *self.head.parameters()])

    def loader(self):
        return DataLoader(self.data, batch_size=1, num_workers=4, multiprocessing_context="forkserver", persistent_workers=True)  #? MEM403

    def train(self, epochs):
        dl = self.loader()
        for _ in range(epochs):
            for ids in dl:
                self.opt.zero_grad()
                logits = self.head(self.emb(ids[:, :-1]))
                torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).backward()
                self.opt.step()
