# nothing says that there is a GPU

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)))
