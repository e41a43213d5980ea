# the branch with the limit returns

import tensorflow as tf


def configure(limit=None):
    gpus = tf.config.list_physical_devices("GPU")
    if limit is not None:
        for gpu in gpus:
            tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])
        return
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)


configure()
