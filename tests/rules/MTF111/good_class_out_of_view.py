# a parameter of a class that cannot be read, an interface to models of several libraries

import numpy as np
import tensorflow as tf
from explaining.interface import ModelInterface


def stability(model: ModelInterface, batch: np.ndarray, samples: int) -> np.ndarray:
    first = model.predict(batch)
    found = []
    for _ in range(samples):
        moved = batch + np.random.normal(size=batch.shape)
        found.append(np.abs(model.predict(moved) - first).max())
    return tf.reduce_max(found).numpy()
