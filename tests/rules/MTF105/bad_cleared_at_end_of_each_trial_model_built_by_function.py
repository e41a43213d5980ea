# cleared at the end of each trial, the model built by a function

import gc

import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers, mixed_precision


def build(units):
    inputs = tf.keras.Input((20,))
    hidden = layers.Dense(units, activation="relu")(inputs)
    return tf.keras.Model(inputs, layers.Dense(1, dtype="float32")(hidden))


def main():
    mixed_precision.set_global_policy("mixed_float16")
    for units in (32, 64, 128):
        model = build(units)
        model.compile("adam", "mse")
        del model
        K.clear_session()  #! MTF105 warning
        gc.collect()


main()
