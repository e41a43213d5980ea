# only `named_parameters` says that this class is about torch

class Shadow:
    def __init__(self, net, decay):
        self.net, self.decay, self.kept = net, decay, {}
        for name, weight in net.named_parameters():
            self.kept[name] = weight.clone()

    def update(self):
        for name, weight in self.net.named_parameters():
            self.kept[name] = self.decay * self.kept[name] + (1 - self.decay) * weight  #! MEM107 warning
