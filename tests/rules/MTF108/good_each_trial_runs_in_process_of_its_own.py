# each trial runs in a process of its own

import multiprocessing

import tensorflow as tf


def trial(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(tf.zeros((4, 2)), tf.zeros((4, units)))


if __name__ == "__main__":
    for units in range(1, 64):
        process = multiprocessing.Process(target=trial, args=(units,))
        process.start()
        process.join()
