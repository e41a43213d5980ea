# the limit and the keys come from elsewhere

import tensorflow as tf


def cap(gpu, **options):
    tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(**options)])


def read(device, key):
    return tf.config.experimental.get_memory_info(device)[key]
