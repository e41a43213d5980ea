# the file also computes with JAX, but not where this model is evaluated

import jax.numpy as jnp
import torch
from torch.utils.data import DataLoader


def evaluate(model, data):
    model.eval()
    hits = 0
    for x, y in DataLoader(data, batch_size=32):
        logits = model(x)  #! MEM201 error
        hits += (logits.argmax(-1) == y).sum().item()
    return hits


def compare(values):
    return jnp.abs(jnp.array(values)).max(), torch.tensor(values).abs().max()
