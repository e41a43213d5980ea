# a library that knows what was sampled runs backward through it

import storch
import torch
from torch import nn


class Code(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(784, 20), nn.Linear(20, 784)


def story(method, model, data):
    z = method(torch.distributions.Bernoulli(logits=model.encoder(data)))
    storch.add_cost(nn.functional.mse_loss(model.decoder(z), data), "reconstruction")
    return z


def evaluate(method, model: Code, data, optimizer):
    gradients = []
    for _ in range(100):
        optimizer.zero_grad()
        z = story(method, model, data)
        bound = storch.backward()
        gradients.append(z.param_grads["probs"])
    print(bound.item())
    return storch.gather_samples(gradients, "gradients")
