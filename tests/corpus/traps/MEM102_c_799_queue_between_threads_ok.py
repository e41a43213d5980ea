import queue
import threading

import torch
from torch import nn


def consumer(q, out):
    while (item := q.get()) is not None:
        step, loss = item
        out.append((step, float(loss)))


def main():
    q, seen = queue.Queue(maxsize=8), []
    t = threading.Thread(target=consumer, args=(q, seen))
    t.start()
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(100):
        loss = net(torch.randn(8, 4)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        q.put((step, loss.detach()))
    q.put(None)
    t.join()
    print(len(seen))


main()
