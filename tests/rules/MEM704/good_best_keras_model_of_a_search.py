# a model of Keras for each setting, built and judged by methods

from tensorflow import keras


class Search:
    def __init__(self, x, y):
        self.x, self.y = x, y
        self.lowest = float("inf")
        self.best_model = None

    def run(self):
        for units in (32, 64, 128):
            model = self.build(units)
            model.fit(self.x, self.y, epochs=10)
            self.judge(model)

    def build(self, units):
        model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
        model.compile(optimizer="adam", loss="mse")
        return model

    def judge(self, model):
        error = ((model.predict(self.x) - self.y) ** 2).mean()
        if error < self.lowest:
            self.lowest = error
            self.best_model = model
