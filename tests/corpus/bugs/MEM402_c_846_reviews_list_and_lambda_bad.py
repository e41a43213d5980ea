import pandas as pd
import torch
from torch.utils.data import Dataset, DataLoader


class Reviews(Dataset):
    def __init__(self, df, tok):
        self.texts = df["text"].tolist()  #! MEM402
        self.labels = torch.tensor(df["label"].values)
        self.tok = tok

    def __getitem__(self, i):
        return self.tok(self.texts[i]), self.labels[i]

    def __len__(self):
        return len(self.texts)


def loaders(path, tok, bs):
    df = pd.read_csv(path)
    cut = int(0.8 * len(df))
    mk = lambda d, s: DataLoader(Reviews(d, tok), batch_size=bs, shuffle=s, num_workers=6, persistent_workers=True)
    return mk(df[:cut], True), mk(df[cut:], False)


def train(net, path, tok):
    tr, va = loaders(path, tok, 32)
    opt = torch.optim.AdamW(net.parameters())
    for e in range(3):
        for x, y in tr:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
