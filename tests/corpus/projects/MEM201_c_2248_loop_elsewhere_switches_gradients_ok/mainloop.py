import torch


class MainLoop:
    def __init__(self, net, optimizer, train_loader, dev_loader):
        self.net, self.optimizer = net, optimizer
        self.train_loader, self.dev_loader = train_loader, dev_loader

    def do_validation(self):
        self.net.train(False)
        torch.set_grad_enabled(False)
        print(self.net.test_performance(self.dev_loader))
        self.net.train(True)
        torch.set_grad_enabled(True)

    def __call__(self, epochs):
        for _ in range(epochs):
            for batch in self.train_loader:
                self.optimizer.zero_grad()
                self.net(batch)["loss"].backward()
                self.optimizer.step()
            self.do_validation()
