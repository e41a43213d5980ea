# memory of logical devices by name

import tensorflow as tf

for i in range(len(tf.config.list_physical_devices("GPU"))):
    info = tf.config.experimental.get_memory_info(f"GPU:{i}")
    print(info["current"] / 2**20, info["peak"] / 2**20)
print(tf.config.experimental.get_memory_info("GPU:0")["peak"])
