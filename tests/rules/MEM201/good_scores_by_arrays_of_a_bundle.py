# what is called model is a tuple with the model; the splines beside it work on arrays

import numpy as np
import torch


def survival(risks, splines, t):
    found = []
    for i in range(risks.shape[1]):
        found.append(splines[i](t) ** np.exp(risks[:, i]))
    return np.array(found).T


def predict(model, x, times):
    model, splines = model
    gates, risks = model(x)
    risks = risks.detach().numpy()
    shares = torch.exp(gates).detach().numpy()
    found = []
    for t in times:
        out = survival(risks, splines, t)
        found.append((shares * out).sum(axis=1))
    return np.array(found).T


def train(model, x, optimizer):
    for _ in range(10):
        optimizer.zero_grad()
        loss = model(x)[0].sum()
        loss.backward()
        optimizer.step()
