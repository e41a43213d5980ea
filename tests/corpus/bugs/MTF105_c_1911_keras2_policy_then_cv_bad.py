"""Policy at import, folds in a class, backend clear_session."""
import gc

import tensorflow as tf
from tensorflow.keras import mixed_precision
from tensorflow.keras.backend import clear_session

mixed_precision.set_global_policy(mixed_precision.Policy("mixed_float16"))


class CV:
    def __init__(self, data):
        self.data = data

    def model(self):
        base = tf.keras.applications.ResNet50(include_top=False, pooling="avg")
        m = tf.keras.Sequential([base, tf.keras.layers.Dense(1, dtype="float32")])
        m.compile("adam", "mse")
        return m

    def run(self):
        for fold, (tr, va) in enumerate(self.data):
            clear_session()  #! MTF105
            gc.collect()
            m = self.model()
            m.fit(tr, validation_data=va, epochs=3)
            m.save_weights(f"{fold}.weights.h5")
