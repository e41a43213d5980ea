import torch
import torch.nn as nn
import torch.nn.functional as F

student = nn.Linear(40, 20)
teacher = nn.Linear(40, 20)
gen = nn.Sequential(nn.Linear(8, 40), nn.Sigmoid())
opt = torch.optim.Adam([*student.parameters(), *gen.parameters()])
ce, mse, bce = nn.CrossEntropyLoss(), nn.MSELoss(), nn.BCELoss()

for step in range(30):
    x, y = torch.randn(16, 40), torch.randint(0, 20, (16,))
    with torch.no_grad():
        soft = teacher(x)
    s_out = student(x)
    loss = ce(s_out, y) + 0.5 * mse(s_out, soft)  # the squared error saves s_out
    opt.zero_grad()
    loss.backward()
    opt.step()

    img = gen(torch.randn(16, 8))
    rec = bce(img, torch.rand(16, 40))  # a sigmoid saves its own result
    opt.zero_grad()
    rec.backward()
    opt.step()

    probs = F.softmax(student(x), dim=1)
    nll = F.nll_loss(torch.log(probs), y)  # softmax keeps probs
    opt.zero_grad()
    nll.backward()
    opt.step()
