# the policy, but softmax in float16

from tensorflow.keras import Sequential, mixed_precision
from tensorflow.keras.layers import Activation, Dense

mixed_precision.set_global_policy("mixed_float16")


class Trainer:
    def __init__(self):
        self.model = Sequential()
        self.model.add(Dense(64, activation="relu"))
        self.model.add(Dense(10, activation="softmax"))  #! MTF114 warning
        self.other = Sequential([Dense(10), Activation("softmax")])  #! MTF114
        self.model.compile("adam", "categorical_crossentropy")

    def run(self, x, y):
        self.model.fit(x, y)
