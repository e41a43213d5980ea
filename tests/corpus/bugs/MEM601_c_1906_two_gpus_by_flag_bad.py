"""DataParallel in a trainer method and as a function."""
import torch
from torch import nn
from torch.nn.parallel import data_parallel


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.LSTM(32, 64, batch_first=True)
        self.dec = nn.Linear(64, 32)

    def forward(self, x):
        return self.dec(self.enc(x)[0])


class Trainer:
    def __init__(self, opt):
        self.opt = opt
        self.model = Seq2Seq()
        self.to_device()
        self.optim = torch.optim.Adam(self.model.parameters(), lr=opt.lr)

    def to_device(self):
        if torch.cuda.device_count() > 1 and self.opt.multi_gpu:
            print("Let's use", torch.cuda.device_count(), "GPUs!")
            self.model = nn.DataParallel(self.model)  #! MEM601
        self.model.to("cuda")

    def step(self, x):
        self.optim.zero_grad()
        loss = (self.model(x.cuda()) - x.cuda()).pow(2).mean()
        loss.backward()
        self.optim.step()

    def critic_step(self, critic, opt, x):
        opt.zero_grad()
        data_parallel(critic, x.cuda(), device_ids=[0, 1]).mean().backward()  #! MEM601
        opt.step()
