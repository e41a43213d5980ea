import torch
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, path, tokenizer, length):
        self.path, self.tokenizer, self.length = path, tokenizer, length

    def __iter__(self):
        buffer = []
        with open(self.path) as f:
            for line in f:
                buffer += self.tokenizer(line)
                while len(buffer) > self.length:
                    yield torch.tensor(buffer[:self.length])
                    buffer = buffer[self.length:]


def main(model, path, tok):
    loader = DataLoader(Stream(path, tok, 1024), batch_size=8)
    opt = torch.optim.AdamW(model.parameters(), 1e-4)
    for ids in loader:
        loss = model(ids.cuda(), labels=ids.cuda()).loss
        opt.zero_grad()
        loss.backward()
        opt.step()
