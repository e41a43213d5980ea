# the teacher is in no group

import torch


def main(student: torch.nn.Module):
    student = torch.nn.Linear(8, 8)
    teacher = torch.nn.Linear(8, 8)
    opt = torch.optim.AdamW([{"params": [p for n, p in student.named_parameters() if "bias" not in n]}])
    for x in torch.load("x.pt"):
        loss = (student(x) - teacher(x)).pow(2).mean()  #! MEM203 warning
        opt.zero_grad()
        loss.backward()
        opt.step()
