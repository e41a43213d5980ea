import torch


class Engine:
    def __init__(self, net, opt, crit):
        self.net, self.opt, self.crit = net, opt, crit

    def loop(self, dl, train: bool):
        self.net.train(train)
        total = 0.0
        with torch.set_grad_enabled(train):
            for x, y in dl:
                loss = self.crit(self.net(x), y)
                if train:
                    self.opt.zero_grad()
                    loss.backward()
                    self.opt.step()
                total += loss.detach() * len(x)
        return float(total) / len(dl.dataset)

    def fit(self, a, b, n):
        for e in range(n):
            print(e, self.loop(a, True), self.loop(b, False))
