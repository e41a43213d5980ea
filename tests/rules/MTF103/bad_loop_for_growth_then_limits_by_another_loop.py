# a loop for growth, then limits by another loop

import tensorflow as tf


def configure(limit_mb):
    devices = tf.config.list_physical_devices("GPU")
    for device in devices:
        tf.config.experimental.set_memory_growth(device, True)  #! MTF103 warning
    for device in devices:
        tf.config.set_logical_device_configuration(
            device, [tf.config.LogicalDeviceConfiguration(memory_limit=limit_mb)]
        )


configure(2048)
