# bfloat16 autocast needs no scaler

import torch


class Runner:
    def __init__(self):
        self.net = torch.nn.Linear(6, 2).cuda()
        self.opt = torch.optim.AdamW(self.net.parameters())

    def step(self, x):
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            loss = self.net(x).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


runner = Runner()
for x in torch.randn(10, 4, 6, device="cuda"):
    runner.step(x)
