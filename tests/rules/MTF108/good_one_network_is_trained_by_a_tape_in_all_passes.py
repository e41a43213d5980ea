# the network is made once, before the loop that trains it by a tape

import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(256), tf.keras.layers.Dense(1)])


net, optimizer = build(), tf.keras.optimizers.Adam()
for x, y in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
