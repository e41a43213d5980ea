# a function that takes the model, by way of a variable and softmax

import tensorflow as tf


def evaluate(model, dataset):
    probabilities, labels = [], []
    for x, y in dataset:
        logits = model(x, training=False)
        probs = tf.nn.softmax(logits)
        probabilities.append(probs)  #! MTF112
        labels.append(y.numpy())
    return probabilities, labels


def main():
    net = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    data = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64,)))).batch(8)
    evaluate(net, data)


main()
