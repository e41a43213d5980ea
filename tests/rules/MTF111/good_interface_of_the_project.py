# the interface stands for models of several libraries

from abc import ABC, abstractmethod

import numpy as np
import tensorflow as tf


class Wrapped(ABC):
    @abstractmethod
    def predict(self, x):
        raise NotImplementedError


def stability(model: Wrapped, batch, labels):
    found = []
    for x in batch:
        found.append(np.argmax(model.predict(np.expand_dims(x, axis=0))))
    return tf.reduce_mean(tf.cast(tf.equal(found, labels), tf.float32))
