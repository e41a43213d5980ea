# a custom loop without a loss scale

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
net = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1, dtype="float32")])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x, training=True) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)  #! MTF114 warning
    optimizer.apply_gradients(zip(grads, net.trainable_variables))


for _ in range(10):
    train_step(tf.zeros((4, 2)), tf.zeros((4, 1)))
