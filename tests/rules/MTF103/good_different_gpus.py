# different GPUs

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if len(gpus) > 1:
    tf.config.experimental.set_memory_growth(gpus[0], True)
    tf.config.set_logical_device_configuration(gpus[1], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])
