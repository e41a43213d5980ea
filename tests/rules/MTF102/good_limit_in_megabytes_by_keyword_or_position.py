# a limit in megabytes, by keyword or position

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_logical_device_configuration(
        gpus[0],
        [tf.config.LogicalDeviceConfiguration(memory_limit=1024), tf.config.LogicalDeviceConfiguration(2048)])
    limit = 0.5 * 8192
    tf.config.set_logical_device_configuration(gpus[-1], [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])
