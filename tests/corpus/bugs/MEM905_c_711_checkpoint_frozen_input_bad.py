import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, blocks, head, loader):
        self.blocks = blocks
        self.head = head
        self.loader = loader
        params = list(blocks.parameters()) + list(head.parameters())
        self.optimizer = torch.optim.AdamW(params, lr=3e-4)
        self.criterion = nn.CrossEntropyLoss()

    def features(self, x):
        return checkpoint(self.blocks, x, use_reentrant=True)  #! MEM905

    def fit(self, epochs):
        for _ in range(epochs):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.head(self.features(x)), y)
                loss.backward()
                self.optimizer.step()


def main():
    data = TensorDataset(torch.randn(128, 20), torch.randint(0, 3, (128,)))
    blocks = nn.Sequential(nn.Linear(20, 64), nn.GELU(), nn.Linear(64, 64))
    Trainer(blocks, nn.Linear(64, 3), DataLoader(data, batch_size=16)).fit(2)


main()
