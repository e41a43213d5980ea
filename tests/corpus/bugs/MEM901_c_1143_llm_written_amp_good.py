import torch
import torch.nn as nn
import torch.amp as amp


class AmpTrainer:
    def __init__(self, model, lr=1e-3):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()
        self.scaler = amp.GradScaler("cuda")

    def step(self, x, y):
        self.optimizer.zero_grad()
        with amp.autocast("cuda"):
            loss = self.criterion(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.step(x.cuda(), y.cuda())
        print(torch.cuda.mem_get_info())
        torch.cuda.empty_cache()
