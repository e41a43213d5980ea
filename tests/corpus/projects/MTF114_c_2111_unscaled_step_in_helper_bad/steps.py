import tensorflow as tf


@tf.function
def train_step(m, opt, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(m(x) - y))
    grads = tape.gradient(loss, m.trainable_variables)
    opt.apply_gradients(zip(grads, m.trainable_variables))  #= MTF114
