import numpy as np
import torch
from skorch import NeuralNetClassifier
from torch import nn


class M(nn.Module):
    def __init__(self, h=10):
        super().__init__()
        self.a, self.b = nn.Linear(20, h), nn.Linear(h, 2)

    def forward(self, X):
        return torch.softmax(self.b(torch.relu(self.a(X))), -1)


class Net(NeuralNetClassifier):
    def get_loss(self, y_pred, y_true, *a, **k):
        loss = super().get_loss(y_pred, y_true, *a, **k)
        loss += 1e-4 * sum(w.abs().sum() for w in self.module_.parameters())
        return loss


net = Net(M, max_epochs=10, lr=0.1, iterator_train__shuffle=True)
X = np.random.randn(500, 20).astype(np.float32)
net.fit(X, (X[:, 0] > 0).astype(np.int64))
print(net.predict(X[:5]))
