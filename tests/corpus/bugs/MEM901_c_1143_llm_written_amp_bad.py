"""Code from a chat answer: mixes apex and torch names."""
import torch
import torch.nn as nn
import torch.cuda.amp as amp


class AmpTrainer:
    def __init__(self, model, lr=1e-3):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()
        self.model, self.optimizer = amp.initialize(self.model, self.optimizer, opt_level="O1")  #! MEM901

    def step(self, x, y):
        self.optimizer.zero_grad()
        with amp.autocast():  #! MEM903
            loss = self.criterion(self.model(x), y)
        with amp.scale_loss(loss, self.optimizer) as scaled:  #! MEM901
            scaled.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.step(x.cuda(), y.cuda())
        print(torch.cuda.get_memory_info())  #! MEM902
        torch.cuda.clear_cache()  #! MEM902
