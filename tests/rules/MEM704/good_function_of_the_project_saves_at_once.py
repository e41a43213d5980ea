# the weights are written where they are taken, by a function of the project

from torch.nn.functional import cross_entropy
from lib.files import save_best_checkpoint


def fit(net, optimizer, loader, judge):
    best = 0
    for _ in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            cross_entropy(net(x), y).backward()
            optimizer.step()
        score = judge(net)
        if score > best:
            best = score
            weights = net.state_dict()
            save_best_checkpoint(weights)
