# The size of the batches says that there is more than one: called directly, all would go through at once.

import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")


def explain(sequences, batch_size=128):
    found = []
    for sequence in sequences:
        mutated = np.repeat(sequence[np.newaxis], 6000, axis=0)
        found.append(model.predict(mutated, verbose=0, batch_size=batch_size))
    return found
