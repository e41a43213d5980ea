import tensorflow as tf

x = tf.constant([1.0, 2.0])
physical = tf.config.experimental.list_physical_devices("GPU")
assert len(physical) > 0
config = tf.config.experimental.set_memory_growth(physical[0], True)  #! MTF102
print(x)
