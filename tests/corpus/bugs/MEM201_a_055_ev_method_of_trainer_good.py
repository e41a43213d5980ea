import numpy as np
import torch
import onmt_utils
from tqdm import tqdm


class Trainer(object):
    def __init__(self, model, train_loss, valid_loss, optim, n_gpu=1):
        self.model = model
        self.train_loss = train_loss
        self.valid_loss = valid_loss
        self.optim = optim

    def train(self, train_iter, valid_iter, train_steps, valid_steps):
        step = 0
        while step < train_steps:
            for batch in train_iter:
                self.optim.zero_grad()
                out, attns = self.model(batch.src, batch.tgt, batch.lengths)
                loss = self.train_loss(batch, out, attns)
                loss.backward()
                self.optim.step()
                step += 1
                if step % valid_steps == 0:
                    self.validate(valid_iter)

    def validate(self, valid_iter):
        """ Validate model.
        """
        self.model.eval()
        stats = onmt_utils.Statistics()
        with torch.no_grad():
            for batch in valid_iter:
                outputs, attns = self.model(batch.src, batch.tgt, batch.lengths)
                _, batch_stats = self.valid_loss(batch, outputs, attns)
                stats.update(batch_stats)
        self.model.train()
        return stats
