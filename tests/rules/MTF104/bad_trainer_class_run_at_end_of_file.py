# a trainer class run at the end of the file

from tensorflow import keras  #! MTF104
from tensorflow.keras import mixed_precision

mixed_precision.set_global_policy("mixed_float16")


class Trainer:
    def __init__(self):
        self.model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1, dtype="float32")])
        self.model.compile("adam", "mse")

    def run(self, x, y):
        self.model.fit(x, y, epochs=2)


Trainer().run([[1.0]], [[1.0]])
