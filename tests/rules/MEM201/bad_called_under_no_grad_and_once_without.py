# validation runs under no_grad each epoch, the last test of the script does not

import torch
import torch.nn.functional as F
from nets import Net

net = Net().cuda()
opt = torch.optim.Adam(net.parameters())


def evaluate(net, loader):
    right = total = 0
    for x, y in loader:
        scores = net(x.cuda())  #! MEM201 error
        right += (scores.argmax(1) == y.cuda()).sum().item()
        total += len(y)
    return right / total


for epoch in range(10):
    net.train()
    for x, y in train_loader:
        opt.zero_grad()
        F.cross_entropy(net(x.cuda()), y.cuda()).backward()
        opt.step()
    with torch.no_grad():
        net.eval()
        print(evaluate(net, valid_loader))

net.eval()
print(evaluate(net, test_loader))
