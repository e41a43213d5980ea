# the comprehension keeps numbers: each model lives within the function that scores it

from tensorflow import keras

from data import x, y


def build(units):
    net = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


def score(units):
    net = build(units)  #! MTF108 warning
    return net.fit(x, y, epochs=5).history["loss"][-1]


print(min([score(units) for units in range(8, 512)]))
