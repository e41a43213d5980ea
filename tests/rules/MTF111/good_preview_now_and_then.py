# the helper that predicts runs once in a hundred steps

import keras
from numpy.random import randn


def preview(generator):
    print(generator.predict(randn(4, 100)).mean())


def train(generator, critic, batches):
    for step, batch in enumerate(batches):
        critic.train_on_batch(batch, [1] * 64)
        if step % 100 == 0:
            preview(generator)


train(keras.models.load_model("generator.h5"), keras.models.load_model("critic.h5"), [randn(64, 28, 28)] * 1000)
