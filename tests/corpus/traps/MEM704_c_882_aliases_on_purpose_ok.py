"""704: state dicts that are aliases on purpose."""
import copy
import io
import torch


class Checkpointer:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.best = 0

    def state(self):
        return {"model": self.model.state_dict(), "opt": self.opt.state_dict(), "best": self.best}

    def save(self, acc, path):
        if acc > self.best:
            self.best = acc
            state = self.state()
            torch.save(state, path)
            torch.save(self.model.state_dict(), "b.pt")


def average(models):
    dicts = [m.state_dict() for m in models]
    return {k: sum(d[k] for d in dicts) / len(dicts) for k in dicts[0]}


def fed(server, clients, rounds):
    for r in range(rounds):
        local = []
        for c in clients:
            c.load_state_dict(server.state_dict())
            train(c)
            local.append(copy.deepcopy(c.state_dict()))
        server.load_state_dict(average(clients))


def train(net):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    best_loss = 9
    for i in range(5):
        opt.zero_grad()
        loss = net(torch.randn(2, 2)).mean()
        loss.backward()
        opt.step()
        if loss < best_loss:
            best_loss = loss.item()
            buf = io.BytesIO()
            torch.save(net.state_dict(), buf)


def target(online, tgt, step):
    if step % 100 == 0:
        weights = online.state_dict()
        tgt.load_state_dict(weights)
