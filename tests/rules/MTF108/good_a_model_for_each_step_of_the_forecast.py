# the object has a model for each step ahead, and forecasts with all of them

from tensorflow import keras


class Forecaster:
    def __init__(self, horizon, lags):
        self.horizon, self.lags = horizon, lags
        self.models, self.by_name = None, {}
        for step in range(horizon):
            self.add(f"step-{step}")
            self.add_named(f"named-{step}")

    def build(self):
        net = keras.Sequential([keras.layers.LSTM(16), keras.layers.Dense(1)])
        net.compile("adam", "mse")
        return net

    def add(self, name):
        model = self.build()
        if self.models is None:
            self.models = [{"name": name, "model": model}]
        else:
            self.models.append({"name": name, "model": model})

    def add_named(self, name):
        model = self.build()
        self.by_name[name] = model

    def fit(self, x, y):
        for step, entry in enumerate(self.models):
            entry["model"].fit(x, y[:, step])
        for name, model in self.by_name.items():
            model.fit(x, y[:, 0])
