"""Gradients that a training loop puts into lists: those of the input, and all of the variables."""

import tensorflow as tf

saliency, history = [], {"grads": []}


def train(model, optimizer, loss_of, batches):
    for x, y in batches:
        with tf.GradientTape() as tape:
            seen = tf.Variable(x)
            loss = loss_of(y, model(seen, training=True))
        grads, of_input = tape.gradient(loss, (model.trainable_variables, seen))
        saliency.append(of_input)  #! MTF112 warning
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


def train_and_look(model, optimizer, loss_of, batches):
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        history["grads"].append(grads)  #! MTF112 warning
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
