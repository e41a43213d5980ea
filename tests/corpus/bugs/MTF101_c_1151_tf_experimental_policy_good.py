import tensorflow as tf
from tensorflow.keras import mixed_precision

try:
    from tensorflow.keras.mixed_precision import experimental
except ImportError:
    experimental = None


class Classifier:
    def __init__(self, classes):
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        mixed_precision.set_global_policy("mixed_float16")
        base = tf.keras.applications.EfficientNetB0(include_top=False, pooling="avg")
        out = tf.keras.layers.Dense(classes, activation="softmax", dtype="float32")(base.output)
        self.model = tf.keras.Model(base.input, out)
        self.model.compile("adam", "sparse_categorical_crossentropy")

    def fit(self, gen, steps):
        return self.model.fit(gen, steps_per_epoch=steps, epochs=5)
