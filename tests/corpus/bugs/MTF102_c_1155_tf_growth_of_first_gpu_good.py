import tensorflow as tf

physical = tf.config.experimental.list_physical_devices("GPU")
if physical:
    tf.config.set_visible_devices(physical[0], "GPU")
    tf.config.experimental.set_memory_growth(physical[0], True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.random.normal((64, 4)), tf.random.normal((64, 1)), batch_size=8)
