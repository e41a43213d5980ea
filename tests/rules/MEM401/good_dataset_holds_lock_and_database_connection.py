# the dataset holds a lock and a database connection

import sqlite3
import threading

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, path):
        self.lock = threading.Lock()
        self.db = sqlite3.connect(path)

    def __len__(self):
        return 1000

    def __getitem__(self, i):
        with self.lock:
            row = self.db.execute("select a, b from t where id = ?", (i,)).fetchone()
        return torch.tensor(row, dtype=torch.float32)


net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Rows("rows.db"), batch_size=16):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
