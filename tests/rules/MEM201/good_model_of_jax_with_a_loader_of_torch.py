# the model is one of JAX, only the loader is torch's

import jax
import jax.numpy as jnp
import numpy as np
from torch.utils.data import DataLoader

from project import train


def generate(model, seed, length=100):
    state = jnp.zeros(model.encoder.width)
    text = []
    for _ in range(length):
        embedded = model.embed(seed)
        state, hidden = model.encoder(embedded, state)
        probabilities = jax.nn.softmax(model.decoder(hidden))
        seed = int(np.argmax(probabilities))
        text.append(seed)
    return text


def evaluate(model, data):
    hits = 0
    for x, y in DataLoader(data, batch_size=32):
        logits = model(jnp.array(x.numpy()))
        hits += int((jnp.argmax(logits, -1) == jnp.array(y.numpy())).sum())
    return hits


model = train(DataLoader(range(8)))
print(generate(model, 0), evaluate(model, range(8)))
