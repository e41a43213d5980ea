# the generator's class is not in view, but the script makes it, calls eval() on it, and cuts what it gives

import torch
from parts import Judge, Painter

painter = Painter().cuda()
painter.load_state_dict(torch.load("painter.pt", map_location="cpu"))
painter.eval()
judge = Judge().cuda()
optimizer = torch.optim.SGD(judge.parameters(), lr=0.1)
for noise, label in torch.utils.data.DataLoader(torch.load("noise.pt", map_location="cpu"), 64):
    picture = painter(noise.cuda())  #! MEM203 warning
    loss = torch.nn.functional.cross_entropy(judge(picture.detach()), label.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
