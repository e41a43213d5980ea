# every model is kept under its name, by the loop with a comment or by the method that judges it

from tensorflow import keras


class Search:
    def __init__(self, x, y):
        self.x, self.y, self.models, self.scores = x, y, {}, {}

    def build(self, kind, units):
        model = keras.Sequential([keras.layers.Dense(units, activation=kind), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        return model

    def run(self):
        for kind in ("relu", "tanh"):
            for units in (32, 64, 128, 256):
                model = self.build(kind, units)
                model.fit(self.x, self.y, epochs=10)
                self.models[f"{kind}_{units}"] = model  # kept for later

    def compare(self, sizes):
        for units in sizes:
            model = self.build("relu", units)
            model.fit(self.x, self.y, epochs=10)
            self.judge(model, units)

    def judge(self, model, name):
        self.scores[name] = model.evaluate(self.x, self.y)
        self.models[name] = model
