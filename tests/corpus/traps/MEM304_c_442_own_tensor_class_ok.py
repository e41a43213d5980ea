import torch


class Node:
    """A node of a toy autograd, with torch doing the arithmetic."""

    def __init__(self, value, parents=()):
        self.value = torch.as_tensor(value)
        self.parents = parents
        self.require_grad = True

    def backward(self, grad):
        for parent, local in self.parents:
            if parent.require_grad:
                parent.backward(grad * local)


a = Node(2.0)
a.require_grad = False
b = Node(3.0, [(a, 1.0)])
b.backward(torch.tensor(1.0))
