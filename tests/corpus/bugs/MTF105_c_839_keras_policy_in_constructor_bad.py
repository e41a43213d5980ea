import tensorflow as tf
from tensorflow.keras import mixed_precision
from tensorflow.keras.backend import clear_session


class Search:
    def __init__(self, fp16):
        if fp16:
            mixed_precision.set_global_policy("mixed_float16")

    def objective(self, trial, x, y):
        clear_session()  #! MTF105
        units = trial.suggest_int("units", 8, 512)
        m = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1, dtype="float32")])
        m.compile("adam", "mse")
        return m.fit(x, y, epochs=3).history["loss"][-1]
