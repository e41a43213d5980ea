# The heads share one trunk: the backward of the first must leave the graph to those that follow in the same list.
import torch


class Agent:
    def __init__(self, network, optimizer, loss):
        self.network, self.optimizer, self.loss = network, optimizer, loss

    def learn(self, batches):
        for observations, targets in batches:
            prediction = self.network.forward(observations)
            self.apply_loss(prediction, targets)
            self.optimizer.step()

    def apply_loss(self, prediction, targets):
        if isinstance(prediction, list):
            [self.apply_loss(p, t) for p, t in zip(prediction, targets)]
        else:
            self.optimizer.zero_grad()
            loss = self.loss(torch.max(prediction, dim=1)[0], targets)
            loss.backward(retain_graph=True)
