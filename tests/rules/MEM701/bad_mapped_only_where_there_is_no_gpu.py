# who maps to the CPU where there is no GPU leaves the rest to the file: advice where the argument says so

import torch


class Runner:
    def __init__(self, options):
        self.gpu = options.gpu
        self.net = torch.nn.Linear(8, 2)
        if self.gpu:
            self.net.cuda()

    def restore(self, path):
        if self.gpu:
            weights = torch.load(path)  #! MEM701 warning
        else:
            weights = torch.load(path, map_location=lambda storage, _: storage)
        self.net.load_state_dict(weights["net"])


def build(path):
    net = torch.nn.Linear(8, 2)
    where = None if torch.cuda.is_available() else torch.device("cpu")
    net.load_state_dict(torch.load(path, map_location=where))  #! MEM701 advice
    print("mapped to", where)
    return net.cuda() if torch.cuda.is_available() else net


def resume(path, net, on_cpu):
    state = torch.load(path, map_location="cpu") if on_cpu else torch.load(path)  #! MEM701 warning
    net.load_state_dict(state)
