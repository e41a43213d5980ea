import torch
from torch.utils.data import DataLoader
from transformers import get_linear_schedule_with_warmup


class NERTrainer:
    def __init__(self, model, train_ds, lr=3e-5, epochs=4, batch_size=16, device="cuda"):
        self.model = model.to(device)
        self.device = device
        self.epochs = epochs
        self.loader = DataLoader(train_ds, batch_size=batch_size, shuffle=True, num_workers=4)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        total = len(self.loader) * epochs
        self.scheduler = get_linear_schedule_with_warmup(self.optimizer, int(0.1 * total), total)
        self.tr_loss = 0.0
        self.logging_loss = 0.0
        self.global_step = 0

    def training_step(self, batch):
        self.model.train()
        batch = {k: v.to(self.device) for k, v in batch.items()}
        out = self.model(**batch)
        loss = out[0]
        loss.backward()
        return loss.detach()

    def train(self):
        for epoch in range(self.epochs):
            for step, batch in enumerate(self.loader):
                loss = self.training_step(batch)
                self.tr_loss += loss
                self.optimizer.step()
                self.scheduler.step()
                self.model.zero_grad()
                self.global_step += 1
                if self.global_step % 100 == 0:
                    print("loss", float(self.tr_loss - self.logging_loss) / 100)
                    self.logging_loss = self.tr_loss
        return self.global_step, self.tr_loss / self.global_step
