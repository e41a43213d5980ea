# each model has one step, which its loop or a list keeps

import tensorflow as tf


def make_step(model, opt):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.mse(y, model(x)))
        g = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        return loss
    return step


def gan(models, data):
    for model in models:
        step = make_step(model, tf.keras.optimizers.Adam())
        for x, y in data:
            step(x, y)


def keep(models):
    steps = []
    for m in models:
        steps.append(make_step(m, tf.keras.optimizers.Adam()))
    return steps
