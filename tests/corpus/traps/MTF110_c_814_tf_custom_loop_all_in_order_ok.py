import tensorflow as tf


@tf.function
def train_step(net, opt, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x, training=True) - y))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


def main():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    net, opt = tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.keras.optimizers.Adam()
    data = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 2)), tf.zeros((64, 1)))).shuffle(64).batch(8)
    history = []
    for epoch in range(10):
        mean = tf.keras.metrics.Mean()
        for x, y in data:
            mean.update_state(train_step(net, opt, x, y))
        history.append(float(mean.result()))


main()
