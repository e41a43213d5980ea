# the network holds its recurrent state itself: the losses of all time steps hang on one graph

import torch

from nets import make_cell

cell, other = make_cell(32).cuda(), make_cell(16).cuda()
opt = torch.optim.Adam([*cell.parameters(), *other.parameters()])
criterion = torch.nn.MSELoss()


def train(frames):
    opt.zero_grad()
    cell.hidden = cell.init_hidden()
    other.reset_state()
    total = 0
    for i in range(1, len(frames)):
        total += criterion(cell(frames[i - 1]), frames[i])
    for i in range(1, len(frames)):
        total += criterion(other(frames[i - 1]), frames[i])
    total.backward()
    opt.step()


for frames in torch.randn(20, 9, 4, 32).cuda():
    train(frames)
