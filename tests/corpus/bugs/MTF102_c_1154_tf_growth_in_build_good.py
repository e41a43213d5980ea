import numpy as np
import tensorflow as tf


def build():
    inp = tf.keras.Input((416, 416, 3))
    x = tf.keras.layers.Conv2D(32, 3, 2, activation="relu")(inp)
    return tf.keras.Model(inp, tf.keras.layers.GlobalAveragePooling2D()(x))


def allow_growth():
    try:
        for g in tf.config.experimental.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(g, True)
    except RuntimeError as e:
        print(e)


def main():
    allow_growth()
    model = build()
    opt = tf.keras.optimizers.SGD(0.1)
    for step in range(10):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(np.random.rand(2, 416, 416, 3), training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


if __name__ == "__main__":
    main()
