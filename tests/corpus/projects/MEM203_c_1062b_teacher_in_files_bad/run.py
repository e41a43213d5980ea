import torch
import torch.nn as nn
import torch.nn.functional as F

from distill.models import Big, Small


def main():
    teacher, student = Big(), Small()
    teacher.load_state_dict(torch.load("big.pt", map_location="cpu"))
    teacher.eval()
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    for x, y in torch.utils.data.DataLoader(torch.load("c100.pt"), 128, shuffle=True):
        s = student(x)
        t = teacher(x)  #! MEM203
        loss = F.cross_entropy(s, y) + F.kl_div(s.log_softmax(1), t.softmax(1), reduction="batchmean")
        opt.zero_grad()  #? MEM122
        loss.backward()
        opt.step()


if __name__ == "__main__":
    main()
