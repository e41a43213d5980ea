# `map` of the datasets library runs at once, in the main process

import torch
from datasets import load_dataset
from torch.utils.data import DataLoader

encoder = torch.nn.Linear(8, 8).cuda()


def add_vectors(rows):
    return {"vec": encoder(torch.tensor(rows["x"]).cuda()).tolist()}


rows = load_dataset("x", split="train").map(add_vectors, batched=True)
loader = DataLoader(rows, batch_size=8, num_workers=4)
