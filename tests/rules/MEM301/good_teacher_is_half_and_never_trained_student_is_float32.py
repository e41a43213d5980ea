# the teacher is half and never trained; the student is float32

import torch

teacher = torch.nn.Linear(8, 3).cuda().half().eval()
student = torch.nn.Linear(8, 3).cuda()
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for x in torch.randn(20, 4, 8, device="cuda"):
    with torch.no_grad():
        target = teacher(x.half()).float().softmax(-1)
    loss = -(target * student(x).log_softmax(-1)).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
