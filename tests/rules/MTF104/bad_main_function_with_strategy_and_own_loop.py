# a main function with a strategy and an own loop

import tensorflow as tf  #! MTF104


def train_step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam()
    for _ in range(10):
        train_step(model, optimizer, tf.zeros((4, 2)))


if __name__ == "__main__":
    main()
