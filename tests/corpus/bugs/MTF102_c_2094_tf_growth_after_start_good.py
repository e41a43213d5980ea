# Memory growth is asked for when the GPU is already in use.
import numpy as np
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
weights = tf.Variable(tf.random.normal((512, 512)))
optimizer = tf.keras.optimizers.Adam()
for step in range(100):
    x = np.random.rand(64, 512).astype(np.float32)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights - x) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
