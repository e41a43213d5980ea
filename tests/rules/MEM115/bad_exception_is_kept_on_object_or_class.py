# the exception outlives the handler in an attribute, however it gets there

import sys

import torch

class Sweep:
    last = None

    def __init__(self, net):
        self.net = net
        self.failures = []

    def annotated(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError as e:
            self.last: Exception = e  #! MEM115 error

    def of_the_class(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError as e:
            type(self).last = e  #! MEM115 error

    def by_name(self, x):
        try:
            self.net(x).sum().backward()
        except RuntimeError as e:
            setattr(Sweep, "last", e)  #! MEM115 warning

    def added(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError as e:
            self.failures += [e]  #! MEM115 error

    def unless_there_is_one(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError as e:
            self.last = self.last or e  #! MEM115 error

    def traceback_alone(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError as e:
            self.trace = e.__traceback__  #! MEM115 error

    def value_alone(self, x):
        try:
            self.net(x).sum().backward()
        except torch.cuda.OutOfMemoryError:
            self.last = sys.exc_info()[1]  #! MEM115 error

    def other_errors_are_raised(self, x):
        try:
            self.net(x).sum().backward()
        except RuntimeError as e:
            if "out of memory" in str(e):
                self.last = e  #! MEM115 error
                return
            raise e

class Probe:
    def __init__(self, job):
        try:
            self.result = job()
        except torch.cuda.OutOfMemoryError as e:
            self.error = e  #! MEM115 error
