# a fraction and a name where megabytes belong

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_virtual_device_configuration(
        gpu, [tf.config.experimental.VirtualDeviceConfiguration("gpu", mem_fraction=0.6)])  #! MTF102 error
if len(gpus) > 1:
    tf.config.set_logical_device_configuration(
        gpus[0], [tf.config.LogicalDeviceConfiguration()])  #! MTF102
    tf.config.set_logical_device_configuration(
        gpus[1], [tf.config.LogicalDeviceConfiguration(memory_limit=0.5)])  #! MTF102
