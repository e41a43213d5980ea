from tensorflow.keras import Sequential, layers


def make_generator():
    return Sequential([layers.Dense(49), layers.Reshape((7, 7, 1))])


def make_discriminator():
    return Sequential([layers.Flatten(), layers.Dense(1)])
