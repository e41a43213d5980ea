# one or the other, by a flag

import sys

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    if "--grow" in sys.argv:
        tf.config.experimental.set_memory_growth(gpu, True)
    else:
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])
