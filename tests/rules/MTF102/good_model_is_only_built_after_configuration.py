# the model is only built after the configuration, whatever the order of the definitions

import tensorflow as tf


def build():
    return tf.keras.applications.MobileNetV2(weights=None)


def configure():
    for gpu in tf.config.experimental.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def main():
    configure()
    model = build()
    model.compile("sgd", "categorical_crossentropy")


main()
