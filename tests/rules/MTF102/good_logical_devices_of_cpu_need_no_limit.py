# logical devices of the CPU need no limit

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration() for _ in range(4)])
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
