# the optimizer is out of view, and only the teacher is in eval mode: the student trains

import torch
from torch import nn
from engine import advance


class Distiller:
    def __init__(self, path):
        self.teacher = nn.Linear(4, 2).cuda()
        self.student = nn.Linear(4, 2).cuda()
        self.checkpoint = torch.load(path)  #! MEM702
        self.teacher.load_state_dict(self.checkpoint["model"])
        self.teacher.eval()

    def fit(self, loader):
        for x in loader:
            x = x.cuda()
            loss = nn.functional.mse_loss(self.student(x), self.teacher(x))
            loss.backward()
            advance(self.student)


Distiller("best.pt").fit(torch.utils.data.DataLoader(torch.randn(64, 4)))
