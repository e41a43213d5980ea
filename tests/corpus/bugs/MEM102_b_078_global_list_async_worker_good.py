import threading

import torch
from torch import nn

LOSSES = []
LOCK = threading.Lock()


def log_loss(value):
    with LOCK:
        LOSSES.append(value)


def worker(rank, shared, loader, steps):
    local = nn.Linear(32, 4)
    opt = torch.optim.SGD(shared.parameters(), lr=1e-2)
    it = iter(loader)
    for s in range(steps):
        local.load_state_dict(shared.state_dict())
        x, y = next(it)
        loss = nn.functional.cross_entropy(local(x), y)
        local.zero_grad()
        loss.backward()
        for sp, lp in zip(shared.parameters(), local.parameters()):
            sp.grad = lp.grad
        opt.step()
        log_loss(loss.item())


def monitor(stop):
    while not stop.wait(5.0):
        with LOCK:
            if LOSSES:
                print(len(LOSSES), sum(float(l) for l in LOSSES[-50:]) / 50)


def main(loader, n=4):
    shared = nn.Linear(32, 4)
    shared.share_memory()
    stop = threading.Event()
    threads = [threading.Thread(target=worker, args=(r, shared, loader, 2000)) for r in range(n)]
    threads.append(threading.Thread(target=monitor, args=(stop,)))
    for t in threads:
        t.start()
    for t in threads[:-1]:
        t.join()
    stop.set()
