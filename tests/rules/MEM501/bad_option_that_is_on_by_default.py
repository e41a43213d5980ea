# an option empties the cache that is on unless somebody turns it off

import torch


class Trainer:
    def __init__(self, net, optimizer, empty_cache=True):
        self.net, self.optimizer, self.empty_cache = net.cuda(), optimizer, empty_cache

    def fit(self, loader):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(self.net(x.cuda()), y.cuda())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.empty_cache:
                torch.cuda.empty_cache()  #! MEM501 warning
