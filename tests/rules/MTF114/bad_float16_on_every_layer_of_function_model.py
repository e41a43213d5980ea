# float16 on every layer of a function's model

from tensorflow import keras
from tensorflow.keras import layers


def build(classes):
    inputs = keras.Input((32,))
    x = layers.Dense(64, activation="relu", dtype="float16")(inputs)  #! MTF114
    x = layers.Dense(64, activation="relu", dtype="float16")(x)
    return keras.Model(inputs, layers.Dense(classes, dtype="float16")(x))


def main(x, y):
    model = build(10)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x, y)
