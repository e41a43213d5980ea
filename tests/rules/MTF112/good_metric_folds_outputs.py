# a metric folds the outputs

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
seen = []
for x, y in tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64,)))).batch(8):
    accuracy.update_state(y, model(x, training=False))
    seen.append(len(x))
