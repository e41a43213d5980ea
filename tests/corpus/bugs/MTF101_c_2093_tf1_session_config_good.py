# Old session code under TensorFlow 2.
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = tf.random.normal((1000, 10))
model.fit(x, x[:, :1], epochs=3, batch_size=50)
