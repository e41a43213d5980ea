import numpy as np
import torch


def logistic_regression(X, y, lr=0.1, epochs=100):
    w = np.zeros(X.shape[1])
    total_loss = 0
    losses = []
    for epoch in range(epochs):
        for i in range(len(X)):
            p = 1 / (1 + np.exp(-X[i] @ w))
            loss = -(y[i] * np.log(p) + (1 - y[i]) * np.log(1 - p))
            total_loss += loss
            losses.append(loss)
            w -= lr * (p - y[i]) * X[i]
    return w, total_loss / len(losses)


if __name__ == "__main__":
    data = torch.load("data.pt")
    w, loss = logistic_regression(data["x"].numpy(), data["y"].numpy())
    print(loss)
