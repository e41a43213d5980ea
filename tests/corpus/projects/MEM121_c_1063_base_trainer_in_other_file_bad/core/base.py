import abc

import torch


class BaseTrainer(abc.ABC):
    def __init__(self, cfg, net):
        self.cfg = cfg
        self.net = net.to(cfg["device"])
        self.optim = torch.optim.Adam(self.net.parameters(), lr=cfg["lr"])
        self.global_step = 0

    @abc.abstractmethod
    def compute_loss(self, batch):
        ...

    def update(self, loss):
        loss.backward()  #= MEM121
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optim.step()
        self.global_step += 1

    def fit(self, loader):
        for epoch in range(self.cfg["epochs"]):
            for batch in loader:
                loss = self.compute_loss(batch)
                self.update(loss)
