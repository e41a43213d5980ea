import torch
import torch.nn as nn
from torch.autograd import Variable
import torchvision.transforms as T
from torchvision.datasets import SVHN

net = nn.Sequential(nn.Conv2d(3, 64, 5, stride=2), nn.ReLU(), nn.Conv2d(64, 128, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(128 * 5 * 5, 10))
net.cuda()
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
lossf = nn.CrossEntropyLoss().cuda()
loader = torch.utils.data.DataLoader(SVHN("d", transform=T.ToTensor()), 128, shuffle=True, num_workers=4)
for epoch in range(10):
    for img, lab in loader:
        img = img.cuda().requires_grad_()  #! MEM128
        lab = Variable(lab.cuda())
        opt.zero_grad()
        err = lossf(net(img), lab)
        err.backward()
        opt.step()
    print(epoch, err.item())
