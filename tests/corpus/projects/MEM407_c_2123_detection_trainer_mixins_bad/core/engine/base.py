import torch


class TrainerBase:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self.opt = torch.optim.SGD(net.parameters(), lr=0.01)

    def train(self):
        for self.epoch in range(12):
            self.before_epoch()
            for i, batch in enumerate(self.loader):
                self.run_step(i, batch)
            self.after_epoch()

    def before_epoch(self):
        pass

    def after_epoch(self):
        torch.cuda.empty_cache()
