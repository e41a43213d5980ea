import random

import tensorflow as tf
from tensorflow.keras import layers


def sample():
    return {"width": random.choice([32, 64]), "depth": random.randint(1, 4)}


def make_model(cfg):
    m = tf.keras.Sequential()
    for _ in range(cfg["depth"]):
        m.add(layers.Dense(cfg["width"], activation="relu"))
    m.add(layers.Dense(1))
    m.compile(optimizer="adam", loss="mse")
    return m


def search(x, y, budget):
    best = float("inf")
    while budget > 0:
        budget -= 1
        m = make_model(sample())  #! MTF108
        h = m.fit(x, y, epochs=3, verbose=0)
        best = min(best, h.history["loss"][-1])
    return best
