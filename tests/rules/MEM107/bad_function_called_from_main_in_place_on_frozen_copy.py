# function called from main, in place on a frozen copy

import copy

import torch
from torch import nn


def update_teacher(teacher, student, decay):
    for slow, fast in zip(teacher.parameters(), student.parameters()):
        slow.mul_(decay).add_(fast, alpha=1 - decay)  #! MEM107 warning


def main():
    student = nn.Linear(6, 3)
    teacher = copy.deepcopy(student).requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), lr=0.1)
    for x in torch.randn(50, 4, 6):
        loss = nn.functional.mse_loss(student(x), teacher(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        update_teacher(teacher, student, 0.996)


if __name__ == "__main__":
    main()
