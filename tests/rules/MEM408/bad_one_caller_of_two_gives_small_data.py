# one caller gives small data, another does not

import torch
from torch.utils.data import DataLoader, Dataset


class OnDevice(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x.cuda(), y  #! MEM408 advice

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main(x, y):
    model = torch.nn.Linear(20, 1).cuda()
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for a, b in DataLoader(OnDevice(x, y), 256, shuffle=True):
        opt.zero_grad()
        (model(a) - b.cuda()).pow(2).mean().backward()
        opt.step()


main(torch.randn(1000, 20), torch.randn(1000, 1))
main(torch.load("x.pt", map_location="cpu"), torch.load("y.pt", map_location="cpu"))
