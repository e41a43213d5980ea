import abc

import torch


class BaseTrainer(abc.ABC):
    """Runs the loops; what a step does is up to the subclass."""

    def __init__(self, model, optimizer, train_loader, val_loader=None, callbacks=(), device="cuda"):
        self.model = model.to(device)
        self.optimizer = optimizer
        self.train_loader, self.val_loader = train_loader, val_loader
        self.callbacks = list(callbacks)
        self.device = device
        self.step = 0

    def fire(self, event, **info):
        for callback in self.callbacks:
            getattr(callback, event)(self, **info)

    @abc.abstractmethod
    def compute_loss(self, batch):
        """The loss of one batch."""

    def train_step(self, batch):
        self.optimizer.zero_grad()
        loss = self.compute_loss(batch)
        loss.backward()
        self.optimizer.step()
        return loss

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in self.train_loader:
                loss = self.train_step([b.to(self.device) for b in batch])
                self.step += 1
                self.fire("on_step_end", loss=loss.detach())
            if self.val_loader is not None:
                print(epoch, self.validate())
                self.fire("on_epoch_end", epoch=epoch)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        return sum(self.compute_loss([b.to(self.device) for b in batch]).item() for batch in self.val_loader)
