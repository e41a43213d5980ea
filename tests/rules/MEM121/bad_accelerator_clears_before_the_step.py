# accelerate's autocast holds the backward; the networks are prepared in one call

from accelerate import Accelerator
from torch.optim import Adam


class Trainer:
    def __init__(self, net, loader, kind=Adam):
        self.accelerator = Accelerator()
        self.net, self.opt, self.loader = self.accelerator.prepare(net, kind(net.parameters()), loader)

    def run(self):
        for images in self.loader:
            with self.accelerator.autocast():
                loss = self.net(images)
                self.accelerator.backward(loss)
            self.opt.zero_grad()  #! MEM121 error
            self.opt.step()
