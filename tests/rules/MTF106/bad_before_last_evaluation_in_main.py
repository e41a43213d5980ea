# before the last evaluation in main

import keras


def main(x, y):
    net = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
    net.compile("adam", "mse")
    net.fit(x, y, epochs=3)
    keras.utils.clear_session()  #! MTF106 warning
    print(net.evaluate(x, y))


main([[1.0]], [[1.0]])
