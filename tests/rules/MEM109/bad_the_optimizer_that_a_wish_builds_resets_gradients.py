# The gradients are reset in the closure, by an optimizer that the one given builds: somebody may want the graph.

import torch


class Learner:
    def __init__(self, network, cost):
        self.network, self.cost, self.optimizer = network, cost, None

    def use(self, optimizer):
        self.optimizer = optimizer.build(self.network)

    def fit(self, loader):
        for data, target in loader:
            data, target = data.cuda(), target.cuda()

            def closure():
                self.optimizer.zero_grad()
                loss = self.cost(self.network(data), target)
                loss.backward(create_graph=True)  #! MEM109 advice
                return loss

            self.optimizer.step(closure=closure)
