# a trainer whose constructor makes the strategy first

import tensorflow as tf


class Trainer:
    def __init__(self, limit):
        self.strategy = tf.distribute.MirroredStrategy()
        self.gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(self.gpus[:2], "GPU")  #! MTF102
        for gpu in self.gpus:
            tf.config.set_logical_device_configuration(  #! MTF102
                gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])


Trainer(2048)
