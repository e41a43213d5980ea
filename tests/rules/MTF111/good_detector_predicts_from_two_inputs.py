# the second argument of Keras' predict is a size: two inputs are given to another predict

import tensorflow as tf


def detect(model, images, size):
    found = []
    for i in range(0, len(images), size):
        batch, shapes = model.preprocess(tf.convert_to_tensor(images[i : i + size]))
        found.append(model.postprocess(model.predict(batch, shapes), shapes))
    return found
