# Each library has a function of its own: this one records on a tape of TensorFlow, so sums hold no graphs.

import numpy as np
import backend

if backend.NAME == "tensorflow":
    import tensorflow as tf
if backend.NAME == "torch":
    import torch


class Runner:
    def tf_train(self, epochs, data, network, loss_fn, weights, optimizer, test):
        for epoch in range(epochs):
            for x, y in data:
                with tf.GradientTape() as tape:
                    loss = loss_fn(network(x), y)
                optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            network.set_eval()
            val_loss = 0
            for x, y in test:
                val_loss += loss_fn(network(x), y)
            print(val_loss / len(test))

    def ms_train(self, step, data, network, loss_fn, test):
        for x, y in data:
            print(step(x, y).asnumpy())
        network.set_eval()
        val_loss = 0
        for x, y in test:
            val_loss += loss_fn(network(x), y)
        print(val_loss / len(test))
