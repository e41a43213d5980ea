import torch


class Newton:
    def __init__(self, net, crit, lr=0.1):
        self.net, self.crit, self.lr = net, crit, lr
        self.opt = torch.optim.SGD(net.parameters(), lr)

    def update(self, x, y):
        self.opt.zero_grad()
        loss = self.crit(self.net(x), y)
        loss.backward(create_graph=True)  #! MEM109
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()

    def fit(self, loader):
        for x, y in loader:
            self.update(x, y)
