# a function that makes the traced step is called for each batch

import tensorflow as tf


def make_step(model, opt):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.mse(y, model(x)))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step


def train(model, data, opt):
    for x, y in data:
        step = make_step(model, opt)  #! MTF110 warning
        print(float(step(x, y)))
