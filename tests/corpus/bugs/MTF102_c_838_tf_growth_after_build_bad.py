import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.build((None, 4))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  #! MTF102
model.compile("adam", "mse")
model.fit(tf.zeros((8, 4)), tf.zeros((8, 10)))
