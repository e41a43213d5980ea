# A loss with parameters has an optimizer of its own as well, and one backward serves both.

from losses import CenterLoss
from networks import Net

net = Net(10).to(device)
crit = CenterLoss(10, 128).to(device)
net_opt = torch.optim.SGD(net.parameters(), lr=0.1)
crit_opt = torch.optim.SGD(crit.parameters(), lr=0.5)
for images, labels in loader:
    features = net(images.to(device))
    loss = F.cross_entropy(features, labels.to(device)) + 0.1 * crit(features, labels.to(device))
    net_opt.zero_grad()
    crit_opt.zero_grad()
    loss.backward()
    net_opt.step()
    crit_opt.step()
