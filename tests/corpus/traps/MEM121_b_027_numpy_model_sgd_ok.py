import numpy as np


class Optimizer:
    def __init__(self, params, lr):
        self.params, self.lr = params, lr

    def step(self):
        for p in self.params:
            p["w"] -= self.lr * p["g"]


class Model:
    def __init__(self):
        self.p = {"w": np.zeros((5, 1)), "g": np.zeros((5, 1))}

    def forward(self, x, y):
        self.x, self.e = x, x @ self.p["w"] - y
        return float((self.e ** 2).mean())

    def backward(self):
        self.p["g"] = 2 * self.x.T @ self.e / len(self.x)


model = Model()
optimizer = Optimizer([model.p], 0.1)
total_loss = 0
for i in range(100):
    x = np.random.randn(32, 5)
    loss = model.forward(x, x.sum(1, keepdims=True))
    model.backward()
    optimizer.step()
    total_loss += loss
