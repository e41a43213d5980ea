# a trainer class that fits from a generator

from tensorflow import keras


class Trainer:
    def __init__(self, train_gen, val_gen):
        self.train_gen, self.val_gen = train_gen, val_gen
        self.model = self.build()

    def build(self):
        model = keras.Sequential([keras.layers.Dense(16), keras.layers.Dense(2)])
        model.compile("adam", "mse")
        return model

    def run(self, epochs):
        self.model.fit_generator(self.train_gen, 100, epochs, validation_data=self.val_gen)  #! MTF101
        return self.model.predict_generator(self.val_gen, steps=10)  #! MTF101
