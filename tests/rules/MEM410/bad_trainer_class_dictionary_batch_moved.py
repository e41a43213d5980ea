# trainer class; a dictionary batch moved by a comprehension in a helper

import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, dataset, model):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.loader = DataLoader(dataset, batch_size=8, shuffle=True)  #! MEM410 advice
        self.model = model.to(self.device)
        self.optimizer = torch.optim.AdamW(model.parameters())

    def step(self, batch):
        batch = {k: v.to(self.device) for k, v in batch.items()}
        loss = self.model(**batch).loss
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def fit(self):
        for batch in self.loader:
            self.step(batch)
