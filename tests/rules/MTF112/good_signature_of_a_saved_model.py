# NumPy arrays are kept, or what is no model; the only batch of a signature is no list that grows.

import tensorflow as tf

loaded = tf.saved_model.load("model")
infer = loaded.signatures["serving_default"]
rules = {"signatures": {"double": lambda x: x + x}}
double = rules["signatures"]["double"]
arrays, sums = [], []
for batch in tf.data.TextLineDataset("lines.txt").batch(32):
    arrays.append(infer(inputs=batch)["prediction"].numpy())
    sums.append(double(batch))
