# the step of a function that opens its own region per call

import torch


class Agent:
    def __init__(self):
        self.net = torch.nn.Linear(4, 2).cuda()
        self.opt = torch.optim.Adam(self.net.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    @torch.autocast("cuda", dtype=torch.float16)
    def loss(self, x):
        return self.net(x).pow(2).mean()

    def learn(self, x):
        self.opt.zero_grad()
        self.scaler.scale(self.loss(x)).backward()
        self.scaler.step(self.opt)
        self.scaler.update()


agent = Agent()
for x in torch.randn(10, 2, 4, device="cuda"):
    agent.learn(x)
