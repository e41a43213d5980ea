# memory of physical devices, in a report function

import tensorflow as tf
from tensorflow.config import experimental as device_config


def report():
    gpus = tf.config.list_physical_devices("GPU")
    for i, gpu in enumerate(gpus):
        info = device_config.get_memory_info(f"GPU:{i}")
        print(i, info["current"])


report()
