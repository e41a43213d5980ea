"""Gradients of several parts are gathered for a step, kept as numbers, or dropped after each step."""

import tensorflow as tf

norms = []


def train(model, optimizer, loss_of, batches):
    for parts in batches:
        gathered = []
        for x, y in parts:
            with tf.GradientTape() as tape:
                loss = loss_of(y, model(x, training=True))
            gathered.append(tape.gradient(loss, model.trainable_variables))
        mean = [tf.reduce_mean(tf.stack(g), 0) for g in zip(*gathered)]
        optimizer.apply_gradients(zip(mean, model.trainable_variables))


def watch(model, optimizer, loss_of, batches, window):
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        norms.append(tf.linalg.global_norm(grads).numpy())
        window.append(grads)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        window.clear()
