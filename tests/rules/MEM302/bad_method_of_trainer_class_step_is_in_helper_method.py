# method of a trainer class; the step is in a helper method

import torch


class Experiment:
    def __init__(self, use_amp=True):
        self.use_amp = use_amp
        self.net = torch.nn.Conv1d(2, 2, 3).cuda()
        self.opt = torch.optim.RAdam(self.net.parameters())

    def update(self, loss):
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()

    def run(self, batches):
        with torch.amp.autocast("cuda", enabled=self.use_amp, dtype=torch.bfloat16):  #! MEM302 error
            for batch in batches:
                self.update(self.net(batch).pow(2).mean())


Experiment().run(torch.randn(50, 4, 2, 32, device="cuda"))
