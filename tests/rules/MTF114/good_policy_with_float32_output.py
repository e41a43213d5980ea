# the policy with a float32 output

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(8), tf.keras.layers.Dense(10), tf.keras.layers.Activation("softmax", dtype="float32")]
)
model.compile("adam", "categorical_crossentropy")
model.fit(tf.zeros((4, 2)), tf.zeros((4, 10)))
