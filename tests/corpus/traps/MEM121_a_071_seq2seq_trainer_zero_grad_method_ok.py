import torch


class Trainer:
    def __init__(self, args, task, model, criterion):
        self.args, self.task, self._model, self.criterion = args, task, model, criterion
        self._optimizer = None
        self.logging_outputs = []

    @property
    def optimizer(self):
        if self._optimizer is None:
            self._optimizer = torch.optim.Adam(self._model.parameters(), self.args.lr)
        return self._optimizer

    def zero_grad(self):
        self.optimizer.zero_grad()

    def train_step(self, samples):
        self._model.train()
        self.criterion.train()
        self.zero_grad()
        logs = []
        for sample in samples:
            loss, size, log = self.criterion(self._model, sample)
            loss.backward()
            logs.append({"loss": loss.item(), "ntokens": size})
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), self.args.clip_norm)
        self.optimizer.step()
        return logs

    def valid_step(self, sample):
        with torch.no_grad():
            self._model.eval()
            loss, _, log = self.criterion(self._model, sample)
        return loss, log


def train(trainer, itr, valid_itr):
    for samples in itr:
        trainer.train_step(samples)
    total = 0
    for sample in valid_itr:
        loss, _ = trainer.valid_step(sample)
        total += loss
    return total
