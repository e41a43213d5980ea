"""Own functions and objects whose names are those of torch, Keras or Lightning."""
import numpy as np
import torch


class Trainer:
    def __init__(self, gpus=1, precision=16):
        self.gpus, self.precision = gpus, precision

    def training_epoch_end(self, outputs):
        return np.mean(outputs)


class Session:
    def clear_session(self):
        self.rows = []


def clip_grad_norm(params, limit):
    return torch.nn.utils.clip_grad_norm_(params, limit)


def checkpoint(path, net):
    torch.save(net.state_dict(), path)


class Model:
    def fit_generator(self, gen):
        return [self.predict(x) for x in gen]

    def predict(self, x):
        return x.mean()


def empty_cache():
    return None


class Filter:
    require_grads = None

    def set(self, flag):
        self.require_grads = flag


def main(gen, net, loader):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    s, model = Session(), Model()
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        clip_grad_norm(net.parameters(), 1.0)
        opt.step()
        empty_cache()
        s.clear_session()
        model.predict(x)
    checkpoint("a.pt", net)
    Filter().set(True)
    return Trainer(gpus=2, precision=16).training_epoch_end(model.fit_generator(gen))
