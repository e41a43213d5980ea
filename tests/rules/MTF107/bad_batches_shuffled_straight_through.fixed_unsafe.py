# batches shuffled, straight through

import numpy as np
import tensorflow as tf

x = np.random.rand(2000, 32).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(x).shuffle(1000).batch(32)
for batch in dataset:
    print(batch.shape)
