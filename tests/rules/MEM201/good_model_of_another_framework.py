# eval() and backward() of Paddle

import paddle

net = paddle.nn.Linear(8, 8)


def test(test_loader):
    net.eval()
    hits = 0
    for x, y in test_loader:
        hits += (net(x.cuda()).argmax(1) == y).sum().item()
    return hits
