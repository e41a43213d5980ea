# one shard after the other

import torch
from torch.utils.data import DataLoader, TensorDataset


def train(net, shards, optimizer):
    for path in shards:
        X = torch.load(path).to("cuda")
        for (x,) in DataLoader(TensorDataset(X), batch_size=64):
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
