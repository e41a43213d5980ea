# the average takes the data of each parameter, without its history

class Shadow:
    def __init__(self, net, decay):
        self.net, self.decay, self.kept = net, decay, {}
        for name, weight in net.named_parameters():
            self.kept[name] = weight.data.clone()

    def update(self):
        for name, weight in self.net.named_parameters():
            self.kept[name] = self.decay * self.kept[name] + (1 - self.decay) * weight.data
