import torch


class Runner:
    def __init__(self, net, opt):
        self.net, self.opt = net, opt

    def forward_backward(self, x, y):
        loss = torch.nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        return loss.item()

    def step(self, x, y):
        self.opt.zero_grad()
        try:
            value = self.forward_backward(x, y)
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            half = len(x) // 2
            value = self.forward_backward(x[:half], y[:half])  #! MEM115
            value += self.forward_backward(x[half:], y[half:])  #= MEM115
        self.opt.step()
        return value

    def fit(self, loader):
        return [self.step(x.cuda(), y.cuda()) for x, y in loader]
