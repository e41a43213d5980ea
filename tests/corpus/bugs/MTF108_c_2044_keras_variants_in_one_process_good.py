# Scores variants of a network, three runs each, in one process.
import itertools
import statistics

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def build(units, depth, dropout):
    model = keras.Sequential([keras.Input((20,))])
    for _ in range(depth):
        model.add(layers.Dense(units, activation="relu"))
        model.add(layers.Dropout(dropout))
    model.add(layers.Dense(1))
    model.compile(optimizer="adam", loss="mae")
    return model


x, y = np.random.rand(1000, 20), np.random.rand(1000)
table = []
for variant in itertools.product((32, 64, 128), (1, 2, 3), (0.0, 0.3)):
    runs = []
    for attempt in range(3):
        keras.backend.clear_session()
        network = build(*variant)
        history = network.fit(x, y, validation_split=0.2, epochs=10, verbose=0)
        runs.append(min(history.history["val_loss"]))
    table.append((statistics.mean(runs), variant))
print(sorted(table)[:5])
