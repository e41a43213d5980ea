# another function, or another network, in each pass

import tensorflow as tf


def progressive(steps, data, epochs):
    for epoch in range(epochs):
        step = tf.function(steps[epoch])
        for x, y in data:
            step(x, y)


def folds(make, data, epochs):
    for epoch in range(epochs):
        network = make(epoch)
        run = tf.function(network.step)
        for x, y in data:
            run(x, y)
