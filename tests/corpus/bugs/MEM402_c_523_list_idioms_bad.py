import csv, json, os, pickle, sys
from pathlib import Path
import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset

class A(Dataset):
    def __init__(self, path):
        data = []
        with open(path, "r") as f:
            reader = csv.reader(f)
            next(reader)
            for row in reader:
                data.append((row[0], int(row[1])))
        self.data = data  #! MEM402
        self.n = len(data)
    def __len__(self): return self.n
    def __getitem__(self, i):
        text, y = self.data[i]
        return text, y

class B(Dataset):
    def __init__(self, path, tok):
        self.tok = tok
        self.build(path)
    def build(self, path):
        self.encodings = []  #! MEM402
        for text in Path(path).read_text().splitlines():
            self.encodings += [self.tok.encode(text)]
    def __len__(self): return len(self.encodings)
    def __getitem__(self, i): return torch.tensor(self.encodings[i])

class C(Dataset):
    def __init__(self, df):
        self.texts = df["text"].tolist()  #! MEM402
        self.labels = df["label"].values
    def __len__(self): return len(self.texts)
    def __getitem__(self, i): return self.texts[i], self.labels[i]

class D(Dataset):
    def __init__(self, files):
        self.graphs = {}  #! MEM402
        for f in files:
            self.graphs[f] = pickle.load(open(f, "rb"))
        self.keys = list(self.graphs)
    def __len__(self): return len(self.keys)
    def __getitem__(self, i): return self.graphs[self.keys[i]]

class E(Dataset):
    def __init__(self, root):
        self.samples = []
        for c in os.listdir(root):
            for f in os.listdir(os.path.join(root, c)):
                self.samples.append((os.path.join(root, c, f), c))
        self.x = np.load("x.npy")
        self.t = torch.load("t.pt")
        self.cfg = json.load(open("cfg.json"))
        self.mean = self.cfg["mean"]
    def __len__(self): return len(self.samples)
    def __getitem__(self, i): return self.samples[i], self.x[i], self.t[i], self.mean[0]

class F(Dataset):
    def __init__(self, seqs):
        self.seqs = [torch.tensor(s) for s in seqs]  #! MEM402
    def __len__(self): return len(self.seqs)
    def __getitem__(self, i): return self.seqs[i]

def main(n_workers=8):
    for ds in (A("a.csv"), B("b.txt", None), C(pd.read_csv("c.csv")), D(sys.argv[1:]), E("root"), F(json.load(open("s")))):
        for x in DataLoader(ds, batch_size=4, num_workers=n_workers):
            print(x)
main()
