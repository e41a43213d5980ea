"""A function trains on all batches and predicts a whole set at the end: once for each epoch."""

from tensorflow import keras


def epoch(model, batches, x_test):
    for x, y in batches:
        model.train_on_batch(x, y)
    return model.predict(x_test)


def fit(batches, x_test, epochs):
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("sgd", "mse")
    for number in range(epochs):
        print(epoch(model, batches, x_test).mean())
