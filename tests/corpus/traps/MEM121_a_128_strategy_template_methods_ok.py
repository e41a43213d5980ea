import torch
import torch.nn.functional as F


class Template:
    def training_epoch(self):
        for self.mbatch in self.dataloader:
            self.optimizer.zero_grad()
            self.loss = torch.zeros(())
            self.mb_output = self.model(self.mbatch[0])
            self.loss += self.criterion()
            self.before_backward()
            self.backward()
            self.optimizer_step()

    def criterion(self):
        return F.cross_entropy(self.mb_output, self.mbatch[1])

    def before_backward(self):
        pass

    def backward(self):
        self.loss.backward()

    def optimizer_step(self):
        self.optimizer.step()


class Regularised(Template):
    def __init__(self, model, dataloader):
        self.model, self.dataloader = model, dataloader
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def before_backward(self):
        for p in self.model.parameters():
            self.loss += 1e-4 * p.pow(2).sum()


def main(model, loader):
    s = Regularised(model, loader)
    for _ in range(10):
        s.training_epoch()
