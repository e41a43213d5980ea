# two methods of a runner

import tensorflow as tf


class Runner:
    def __init__(self):
        self.gpus = tf.config.list_physical_devices("GPU")
        self.grow()
        self.limit(512)

    def grow(self):
        for gpu in self.gpus:
            tf.config.experimental.set_memory_growth(gpu, True)  #! MTF103

    def limit(self, megabytes):
        share = tf.config.LogicalDeviceConfiguration(memory_limit=megabytes)
        tf.config.set_logical_device_configuration(self.gpus[0], [share])


Runner()
