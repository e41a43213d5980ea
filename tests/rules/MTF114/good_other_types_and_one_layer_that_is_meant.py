# other types, and one layer that is meant to be different

import tensorflow as tf

tf.keras.backend.set_floatx("float64")
model = tf.keras.Sequential(
    [tf.keras.layers.Embedding(100, 8, dtype="float16"), tf.keras.layers.Dense(1, dtype="float32")]
)
model.compile("adam", "mse")
model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
