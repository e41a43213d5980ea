# The optimizer is built of the one given, and the backward makes no graph of the gradients.

import torch


class Learner:
    def __init__(self, network, optimizer):
        self.network, self.optimizer = network, optimizer.build(network)

    def fit(self, loader):
        for data, target in loader:
            self.optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(self.network(data.cuda()), target.cuda())
            loss.backward(create_graph=False)
            self.optimizer.step()
