# start method set for the whole program, records in a list, called from main

import json

import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Dialogues(Dataset):
    def __init__(self, path):
        self.turns = [json.loads(line) for line in open(path)]  #! MEM403 warning

    def __len__(self):
        return len(self.turns)

    def __getitem__(self, i):
        return torch.tensor(self.turns[i]["ids"])


def main():
    mp.set_start_method("forkserver", force=True)
    loader = DataLoader(Dialogues("turns.jsonl"), num_workers=2, persistent_workers=True)
    net = torch.nn.Embedding(100, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for ids in loader:
            opt.zero_grad()
            net(ids).mean().backward()
            opt.step()


if __name__ == "__main__":
    main()
