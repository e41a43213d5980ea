# The function for TensorFlow says nothing of the one for torch beside it.

import backend

if backend.NAME == "tensorflow":
    import tensorflow as tf
if backend.NAME == "torch":
    import torch


class Runner:
    def tf_train(self, data, network, loss_fn, weights, optimizer):
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = loss_fn(network(x), y)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

    def th_train(self, data, network, loss_fn, optimizer, test):
        for x, y in data:
            optimizer.zero_grad()
            loss_fn(network(x), y).backward()
            optimizer.step()
        network.eval()
        val_loss = 0
        for x, y in test:
            val_loss += loss_fn(network(x), y)  #! MEM101 error
        print(val_loss / len(test))
