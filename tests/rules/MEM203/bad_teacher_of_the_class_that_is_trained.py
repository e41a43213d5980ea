# a class out of view makes the trained network and one that is only evaluated

import torch
import torch.nn.functional as F
from zoo import SmallNet

old = SmallNet(10).cuda()
old.load_state_dict(torch.load("old.pt", map_location="cpu"))
old.eval()
new = SmallNet(10).cuda()
sgd = torch.optim.SGD(new.parameters(), lr=0.1)


def distil(loader):
    for x, _ in loader:
        x = x.cuda()
        wanted = old(x)  #! MEM203 warning
        loss = F.kl_div(new(x).log_softmax(1), wanted.softmax(1))
        sgd.zero_grad()
        loss.backward()
        sgd.step()
