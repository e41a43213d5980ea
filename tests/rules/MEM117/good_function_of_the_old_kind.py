# torch refuses functions of the old kind since 1.5: nothing is kept by what does not run

from torch.autograd import Function


class Scaled(Function):
    def __init__(self, index):
        super().__init__()
        self.index = index

    def forward(self, weights, images):
        self.weights = weights
        return images * weights[self.index]

    def backward(self, grad):
        return None, grad * self.weights[self.index]
