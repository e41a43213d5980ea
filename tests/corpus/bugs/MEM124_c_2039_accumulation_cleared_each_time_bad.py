# Gradient accumulation that clears the gradients before every micro-batch.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GRAD_ACCUM = 4


class LitLike:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(30, 100), nn.ReLU(), nn.Dropout(0.2), nn.Linear(100, 5))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 100)

    def fit(self, loader, epochs=2):
        for epoch in range(epochs):
            for step, batch in enumerate(loader):
                inputs, labels = batch
                self.optimizer.zero_grad()  #! MEM124
                loss = nn.functional.cross_entropy(self.model(inputs), labels) / GRAD_ACCUM
                loss.backward()
                if (step + 1) % GRAD_ACCUM == 0 or (step + 1) == len(loader):
                    nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.optimizer.step()
                    self.scheduler.step()
            print(epoch, loss.item() * GRAD_ACCUM)


LitLike().fit(DataLoader(TensorDataset(torch.randn(800, 30), torch.randint(0, 5, (800,))), batch_size=10))
