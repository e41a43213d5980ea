import tensorflow as tf


@tf.function
def step(x, y, training=True):
    return tf.reduce_mean(x - y) if training else x


@tf.function
def named(x, mode):
    return x if mode == "a" else -x


def main(ds, model, epochs):
    for epoch in tf.range(epochs):
        for i, (x, y) in ds.enumerate():
            step(x, y)
            step(x, y, training=False)
            named(x, "a")
    for i in range(3):
        step(tf.constant(i), tf.constant(1))
    for mode in ("a", "b"):
        named(tf.ones(3), mode)
    for i in range(100):
        step(tf.convert_to_tensor(i), tf.cast(i, tf.int32))
