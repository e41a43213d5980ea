# a tuner class with the model on self

import gc

import keras


class Tuner:
    def __init__(self, space):
        self.space = space
        self.model = None

    def build(self, config):
        model = keras.models.Sequential()
        model.add(keras.layers.Dense(config["units"]))
        model.add(keras.layers.Dense(1))
        return model

    def trial(self, config, data):
        self.model = self.build(config)  #! MTF108
        self.model.compile("sgd", "mse")
        self.model.fit(*data)
        del self.model
        gc.collect()

    def search(self, data):
        for config in self.space:
            self.trial(config, data)
