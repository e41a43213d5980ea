# one loop that sets a GPU up and asks for its memory

import tensorflow as tf

for number, gpu in enumerate(tf.config.list_physical_devices("GPU")):
    tf.config.experimental.set_memory_growth(gpu, True)  #! MTF102 warning
    used = tf.config.experimental.get_memory_info(f"GPU:{number}")["current"]
    print(number, used)
