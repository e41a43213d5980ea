# growth after the model stands, by way of functions

import tensorflow as tf


def build():
    inputs = tf.keras.Input((16,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))


def limit_memory():
    for device in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(device, True)  #! MTF102 error


def main():
    model = build()
    limit_memory()
    model.compile("adam", "mse")


if __name__ == "__main__":
    main()
