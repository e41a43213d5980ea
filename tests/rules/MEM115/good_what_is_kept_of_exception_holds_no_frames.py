# text, type and arguments of an exception hold no frames; one that is raised again leaves the handler anyway

import sys

import torch

class Sweep:
    def __init__(self, net):
        self.net = net

    def parts(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError as e:
            self.kind, self.arguments, self.text = type(e), e.args, f"{e}"

    def kind_alone(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError:
            self.kind = sys.exc_info()[0]

    def verdict(self, x):
        try:
            self.net(x).sum().backward()
        except RuntimeError as e:
            self.failed = 1 if isinstance(e, torch.cuda.OutOfMemoryError) else 2

    def raised(self, x):
        try:
            self.net(x).sum().backward()
        except RuntimeError as e:
            if "out of memory" in str(e):
                self.last = e
                raise
            print(e)

def read(path):
    problem = None
    try:
        text = open(path).read()
    except Exception as e:
        problem = e
    return problem or text
