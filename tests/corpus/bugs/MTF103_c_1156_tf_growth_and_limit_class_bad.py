"""A setup object that does both."""
import tensorflow as tf


class GPU:
    def __init__(self, mb=None):
        self.devices = tf.config.list_physical_devices("GPU")
        self.mb = mb

    def grow(self):
        for d in self.devices:
            tf.config.experimental.set_memory_growth(d, True)  #! MTF103

    def limit(self):
        for d in self.devices:
            tf.config.set_logical_device_configuration(d, [tf.config.LogicalDeviceConfiguration(memory_limit=self.mb)])  #= MTF103


def flat():
    gpu = tf.config.list_physical_devices("GPU")[0]
    tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])  #= MTF103
    tf.config.experimental.set_memory_growth(gpu, True)  #! MTF103 #? MTF102


if __name__ == "__main__":
    g = GPU(3000)
    g.grow()
    g.limit()
