"""Two cards, growth for one of them: "Memory growth cannot differ between GPU devices"."""
import tensorflow as tf

physical = tf.config.experimental.list_physical_devices("GPU")
if len(physical) > 1:
    tf.config.experimental.set_memory_growth(physical[0], True)  #! MTF102
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(tf.random.normal((64, 4)), tf.random.normal((64, 1)), batch_size=8 * strategy.num_replicas_in_sync)
