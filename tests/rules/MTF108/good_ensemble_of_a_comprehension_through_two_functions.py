# the comprehension keeps all models: they predict together

from tensorflow import keras

from data import x, y


def build(units):
    net = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


def trained(units):
    net = build(units)
    net.fit(x, y, epochs=5)
    return net


nets = [trained(units) for units in range(8, 512)]
print(sum(net.predict(x) for net in nets) / len(nets))
